extension WebAsset {
    /// The web page: `index.html` as the root, and the parts that the plugin PackedPage made of the files in `Web`.
    ///
    /// A computed value: a gateway reads it once, and the compressed copies live as long as its routes.
    static var all: [WebAsset] {
        packed.map { path, text in WebAsset(path, text.withUTF8Buffer { Array($0) }) }
    }
}
