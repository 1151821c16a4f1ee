import RedisClient
import Testing

@Suite("Redis URLs")
struct RedisURLTests {
    @Test("name a TCP server")
    func tcp() throws {
        let plain = try RedisURL("redis://localhost")
        #expect(plain.transport == .tcp(host: "localhost", port: 6379))
        #expect((plain.user, plain.password, plain.database, plain.usesTLS) == (nil, nil, 0, false))
        let full = try RedisURL("rediss://ann:p%40ss%3A%2F@db.example:7000/12")
        #expect(full.transport == .tcp(host: "db.example", port: 7000))
        #expect((full.user, full.password, full.database, full.usesTLS) == ("ann", "p@ss:/", 12, true))
    }

    @Test("take a password without a user, and IPv6 addresses")
    func passwordAndIPv6() throws {
        let url = try RedisURL("redis://:secret@[::1]:6380/2")
        #expect(url.transport == .tcp(host: "::1", port: 6380))
        #expect((url.user, url.password, url.database) == (nil, "secret", 2))
        #expect(url.description == "[::1]:6380")
    }

    @Test("name a Unix socket")
    func unix() throws {
        let url = try RedisURL("unix:///tmp/redis%20one.sock?db=3&password=p%26q")
        #expect(url.transport == .unix(path: "/tmp/redis one.sock"))
        #expect((url.password, url.database) == ("p&q", 3))
    }

    @Test("name the certificates of TLS")
    func certificates() throws {
        let full = try RedisURL("rediss://h/2?cacert=/a%20b/ca%26.pem&key=/c.key&cert=/c.pem")
        #expect(full.usesTLS && full.database == 2)
        #expect(full.authoritiesPath == "/a b/ca&.pem")
        #expect(full.clientCertificate == .init(path: "/c.pem", keyPath: "/c.key"))
        let plain = try RedisURL("rediss://h")
        #expect(plain.authoritiesPath == nil && plain.clientCertificate == nil)
    }

    @Test("never show the password")
    func secrecy() throws {
        #expect(try !"\(RedisURL("redis://u:secret@h:1/0"))".contains("secret"))
    }

    @Test(
        "that cannot be used are refused with the reason",
        arguments: [
            ("127.0.0.1:6379", "write it as"), ("", "write it as"), ("http://h", "scheme is 'http'"),
            ("redis://", "host is missing"), ("redis://:6379", "host is missing"), ("redis://h:0", "port 0"),
            ("redis://h:65536", "port 65536"), ("redis://h:port", "percent-encode"),
            ("redis://h/one", "database is 'one'"),
            ("redis://h/-1", "database is '-1'"), ("redis://h/1/2", "database is '1/2'"),
            ("redis://h/?db=1", "takes no '?'"), ("redis://h/?cacert=/ca.pem", "certificates are for rediss://"),
            ("rediss://h/?db=1", "'db' is not known: TLS takes cacert, cert and key"),
            ("rediss://h/?cert=/c.pem", "add &key="), ("rediss://h/?key=/c.key", "add &cert="),
            ("rediss://h/?cacert=", "'cacert' needs the path"), ("rediss://h/?cacert", "'cacert' needs the path"),
            ("rediss://h/?cacert=/a%00b", "'cacert' needs the path"),
            ("rediss://h/?cacert=/a&cacert=/b", "'cacert' is given twice"),
            ("redis://h/0#x", "percent-encode"), ("redis://user@h", "no password"), ("redis://a b", "space"),
            ("redis://h\n", "control character"), ("unix://redis.sock", "three slashes"),
            ("unix:///", "path of the Unix socket is missing"), ("unix:///a.sock?x=1", "'x' is not known"),
            ("unix:///" + String(repeating: "a", count: 120), "longer than"), ("redis://h%00x", "host is missing"),
        ]
    )
    func refusals(_ text: String, _ reason: String) {
        #expect {
            try RedisURL(text)
        } throws: { error in
            "\(error)".contains(reason)
        }
    }
}
