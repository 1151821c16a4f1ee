import Foundation
import TodoMate
package import Transfers

/// The server that takes this server's mail, and in whose name it goes: a file of JSON.
///
///     {"server":"smtps://mail.example.org","user":"todo","passwordFile":"password","from":"TodoMate <todo@example.org>"}
package struct MailSettings: Sendable, Equatable {
    /// Where mail is handed over.
    package var server: MailServer
    /// The address that it comes from.
    package let address: String
    /// What that is called, if anything.
    package let name: String?

    /// Reads the file's JSON.
    ///
    /// - Parameters:
    ///   - json: the bytes of the file.
    ///   - password: reads the password from the file of a name.
    ///   - place: the path of a file that the JSON names.
    /// - Throws: ``MailSettingsError``, and what `password` throws.
    package init(
        from json: [UInt8],
        password: (_ path: String) throws -> String,
        place: (_ path: String) -> String
    ) throws {
        let file: File
        do {
            file = try JSONDecoder().decode(File.self, from: Data(json))
        } catch let error as TodoError {
            throw MailSettingsError(error.description)
        } catch {
            throw MailSettingsError(DecodingError.words(error))
        }
        guard let url = URLComponents(string: file.server), let host = url.host, !host.isEmpty,
            ["smtp", "smtps"].contains(url.scheme), url.user == nil, url.password == nil, url.query == nil,
            url.fragment == nil, ["", "/"].contains(url.path),
            file.server.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
        else {
            throw MailSettingsError("server must look like smtps://mail.example.org or smtp://mail.example.org:587")
        }
        guard ["required", "none", nil].contains(file.tls), url.scheme == "smtp" || file.tls == nil else {
            throw MailSettingsError("tls is required or none, and stands beside a server of smtp:// alone")
        }
        guard file.password == nil || file.passwordFile == nil else {
            throw MailSettingsError("the password is given twice")
        }
        let secret = try file.passwordFile.map(password) ?? file.password
        guard (file.user == nil) == (secret == nil) else {
            throw MailSettingsError("give both user and password, or neither")
        }
        (name, address) = try Self.mailbox(file.from)
        server = MailServer(file.server.hasSuffix("/") ? String(file.server.dropLast()) : file.server)
        server.name = address.split(separator: "@").last.map(String.init) ?? "localhost"
        if let user = file.user, let secret {
            guard !(user + secret).utf8.contains(where: { $0 < 0x20 }) else {
                throw MailSettingsError("user and password hold no control characters")
            }
            server.credentials = MailServer.Credentials(user: user, password: secret)
        }
        // Nobody listens in on what stays on this machine.
        let isNear = GatewayConfiguration.isLoopback(host.trimmingCharacters(in: ["[", "]"]))
        server.requiresTLS = url.scheme == "smtps" || (file.tls ?? (isNear ? "none" : "required")) == "required"
        server.certificates = file.certificates.map(place)
    }

    /// `TodoMate <todo@example.org>`, or the address alone.
    private static func mailbox(_ text: String) throws(MailSettingsError) -> (name: String?, address: String) {
        let match = text.wholeMatch(of: /(?:([^<>]*[^<>\s])\s*)?<([^<>]+)>/)
        let (name, given) = (match.flatMap { $0.1.map(String.init) }, match.map { String($0.2) } ?? text)
        guard let address = try? MailAddressRule.read(given),
            name.map({ !$0.utf8.contains { $0 < 0x20 || $0 == 0x7F } }) ?? true
        else { throw MailSettingsError("from must look like TodoMate <todo@example.org>, or be the address alone") }
        return (name, address)
    }

    private struct File: Decodable {
        enum CodingKeys: String, CodingKey, CaseIterable {
            case server, user, password, passwordFile, from, tls, certificates
        }

        var server: String
        var user: String?
        var password: String?
        var passwordFile: String?
        var from: String
        var tls: String?
        var certificates: String?

        init(from decoder: any Decoder) throws {
            try decoder.refuseKeys(except: CodingKeys.allCases.map(\.stringValue))
            let fields = try decoder.container(keyedBy: CodingKeys.self)
            server = try fields.decode(String.self, forKey: .server)
            user = try fields.decodeIfPresent(String.self, forKey: .user)
            password = try fields.decodeIfPresent(String.self, forKey: .password)
            passwordFile = try fields.decodeIfPresent(String.self, forKey: .passwordFile)
            from = try fields.decode(String.self, forKey: .from)
            tls = try fields.decodeIfPresent(String.self, forKey: .tls)
            certificates = try fields.decodeIfPresent(String.self, forKey: .certificates)
        }
    }
}

/// Why a file that describes a mail server is of no use.
package struct MailSettingsError: Error, Equatable, CustomStringConvertible {
    /// What is wrong with it.
    package let description: String

    init(_ description: String) { self.description = description }
}
