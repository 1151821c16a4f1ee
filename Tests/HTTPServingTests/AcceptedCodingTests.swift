import HTTPServing
import Testing

@Suite("The content codings that a client takes")
struct AcceptedCodingTests {
    @Test(
        "are those that it names, or all, but for what it refuses",
        arguments: [
            (nil, false), ("", false), ("gzip", true), ("GZIP", true), ("deflate, gzip;q=0.5", true),
            ("br , gzip ; q=1.0", true), ("x-gzip", true), ("gzip;q=0", false), ("gzip; Q=0.000", false),
            ("gzip;q=0.", false), ("gzip;q=0.001", true), ("identity", false), ("*", true), ("*;q=0", false),
            ("gzip;q=0, *", false), ("*, gzip;q=0", false), ("*;q=0, gzip", true), ("notgzip", false), (";,;,", false),
        ] as [(String?, Bool)]
    )
    func field(_ field: String?, _ takesIt: Bool) {
        #expect(AcceptedCoding.takes("gzip", field) == takesIt)
    }
}
