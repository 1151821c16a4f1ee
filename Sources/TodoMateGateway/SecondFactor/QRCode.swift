import CQRencode

/// A QR code (ISO/IEC 18004) of a text, drawn by libqrencode.
enum QRCode {
    /// So much stays white around it, in modules.
    private static let margin = 4

    /// The picture as SVG: dark on white whatever is around it, as cameras need it; nil for a text that is too long.
    static func picture(of text: String) -> String? {
        guard let code = QRcode_encodeString8bit(text, 0, QR_ECLEVEL_M) else { return nil }
        defer { QRcode_free(code) }
        let width = Int(code.pointee.width)
        let modules = UnsafeBufferPointer(start: code.pointee.data, count: width * width)
        var path = ""
        for row in 0..<width {
            var column = 0
            while column < width {
                let start = column
                while column < width, modules[row * width + column] & 1 == 1 { column += 1 }
                if column > start { path += "M\(start) \(row)h\(column - start)v1h-\(column - start)z" }
                column += 1
            }
        }
        let side = width + 2 * margin
        return #"<svg xmlns="http://www.w3.org/2000/svg" viewBox="-\#(margin) -\#(margin) \#(side) \#(side)">"#
            + #"<path fill="white" d="M-\#(margin) -\#(margin)h\#(side)v\#(side)h-\#(side)z"/>"#
            + #"<path fill="black" d="\#(path)"/></svg>"#
    }
}
