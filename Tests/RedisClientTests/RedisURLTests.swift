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

    @Test("name a cluster by some of its nodes")
    func cluster() throws {
        let plain = try RedisURL("redis+cluster://h1:7000,h2,[::1]:7002")
        let nodes = [("h1", 7000), ("h2", 6379), ("::1", 7002)].map { RedisEndpoint(host: $0, port: $1) }
        #expect(plain.transport == .cluster(nodes))
        #expect(plain.description == "the cluster of h1:7000,h2:6379,[::1]:7002")
        let full = try RedisURL("rediss+cluster://ann:p%40ss%2C@h1,h2/0?cacert=/ca.pem")
        #expect((full.user, full.password, full.usesTLS, full.authoritiesPath) == ("ann", "p@ss,", true, "/ca.pem"))
    }

    @Test("name a primary by its sentinels")
    func sentinel() throws {
        let plain = try RedisURL("redis+sentinel://s1,s2:5000/mymaster")
        let nodes = [("s1", 26379), ("s2", 5000)].map { RedisEndpoint(host: $0, port: $1) }
        #expect(plain.transport == .sentinel(nodes, primary: "mymaster"))
        #expect((plain.database, plain.sentinelPassword) == (0, nil))
        let full = try RedisURL("rediss+sentinel://:p@s1/m/3?sentinel-user=u&sentinel-password=q%26&cacert=/ca.pem")
        #expect((full.password, full.database, full.usesTLS) == ("p", 3, true))
        #expect((full.sentinelUser, full.sentinelPassword, full.authoritiesPath) == ("u", "q&", "/ca.pem"))
        #expect(full.description == "m of the sentinels s1:26379")
    }

    @Test("never show the password")
    func secrecy() throws {
        #expect(try !"\(RedisURL("redis://u:secret@h:1/0"))".contains("secret"))
        #expect(try !"\(RedisURL("redis+cluster://u:secret@h:1,g"))".contains("secret"))
        #expect(try !"\(RedisURL("redis+sentinel://:secret@h/m?sentinel-password=secret"))".contains("secret"))
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
            ("redis+cluster://", "host is missing"), ("redis+cluster://h1,,h2", "host is missing"),
            ("redis+cluster://h1,h2:0", "port 0"), ("redis+cluster://h1,h1:6379", "named twice"),
            ("redis+cluster://h1/2", "no database but 0"), ("redis+cluster://h1?cacert=/c", "certificates are for TLS"),
            ("redis+cluster://u@h1,h2", "no password"), ("redis+cluster://u:a/b@h1,h2", "percent-encode"),
            ("redis+ring://h", "scheme is 'redis+ring'"), ("unix+cluster://h", "scheme is 'unix+cluster'"),
            ("redis+cluster+x://h", "scheme is"), ("redis+sentinel://s1,s2", "name the primary"),
            ("redis+sentinel://s1//0", "name the primary"), ("redis+sentinel://s1/m/x", "database is 'x'"),
            ("redis+sentinel://s1/m/0/1", "name the primary"), ("redis+sentinel://s1/m?x=1", "takes sentinel-user"),
            ("redis+sentinel://s1/m?sentinel-user=u", "needs its password"),
            ("redis+sentinel://s1/m?sentinel-password=", "is empty"),
            ("rediss+sentinel://s1/m?db=1", "takes cacert, cert, key, sentinel-user"),
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
