import CSodium

/// Seals what others keep for this server, so that they can neither read nor change it: XChaCha20-Poly1305
/// (draft-irtf-cfrg-xchacha) under a key of the secret that all workers share.
struct Seal: Sendable {
    private static let nonceBytes = Int(crypto_aead_xchacha20poly1305_ietf_npubbytes())
    private static let codeBytes = Int(crypto_aead_xchacha20poly1305_ietf_abytes())

    /// The newest in front.
    private let keys: [[UInt8]]

    /// - Parameter purpose: what is sealed for one opens for no other.
    init(_ signer: TokenSigner, for purpose: String) { keys = signer.keys(for: purpose) }

    /// base64url, another one each time.
    ///
    /// - Parameter context: what must be said again to open it, such as whose it is.
    func seal(_ secret: [UInt8], for context: String) -> String {
        let (nonce, context) = (Sodium.random(Self.nonceBytes), Array(context.utf8))
        var sealed = [UInt8](repeating: 0, count: secret.count + Self.codeBytes)
        crypto_aead_xchacha20poly1305_ietf_encrypt(
            &sealed,
            nil,
            secret,
            UInt64(secret.count),
            context,
            UInt64(context.count),
            nil,
            nonce,
            keys[0]
        )
        return Base64URL.encode(nonce + sealed)
    }

    /// What is sealed, and whether it is with the newest key; nil where none of the keys opens it.
    func open(_ text: String, for context: String) -> (secret: [UInt8], isNewest: Bool)? {
        guard let bytes = Base64URL.decode(text), bytes.count >= Self.nonceBytes + Self.codeBytes else { return nil }
        let (nonce, sealed) = (Array(bytes.prefix(Self.nonceBytes)), Array(bytes.dropFirst(Self.nonceBytes)))
        let context = Array(context.utf8)
        for (index, key) in keys.enumerated() {
            var secret = [UInt8](repeating: 0, count: sealed.count - Self.codeBytes)
            let status = crypto_aead_xchacha20poly1305_ietf_decrypt(
                &secret,
                nil,
                nil,
                sealed,
                UInt64(sealed.count),
                context,
                UInt64(context.count),
                nonce,
                key
            )
            if status == 0 { return (secret, index == 0) }
        }
        return nil
    }
}
