import Testing
import TodoMate

@testable import TodoMateGateway

@Suite("What a link carries that lets somebody in")
struct LinkCodeTests {
    @Test(
        "reads back as it was written, for every name that there may be",
        arguments: ["a", "b.o.b", ".", "a@b-c_d", "-x"]
    )
    func roundTrip(_ uid: String) throws {
        for purpose in [LinkCode.Purpose.join, .reset] {
            let code = LinkCode(of: uid, for: purpose)
            let again = try #require(LinkCode(code.text))
            #expect(again.uid == uid && again.text == code.text)
            #expect(again.digest(for: purpose) == code.digest(for: purpose))
            #expect(code.digest(for: .join) != code.digest(for: .reset), "the one opens nothing for the other")
            #expect(InvitationDraft.isID(code.digest(for: purpose)))
            #expect(code.digest(for: purpose).first?.isLetter == true, "no command line takes it for an option")
        }
    }

    @Test("is another one each time, and its digest another one for each user")
    func unique() throws {
        let codes = (0..<100).map { _ in LinkCode(of: "alice", for: .join) }
        #expect(Set(codes.map(\.text)).count == 100 && Set(codes.map { $0.digest(for: .join) }).count == 100)
        #expect(codes.allSatisfy { $0.text.last?.isLetter == true }, "what finds links in a text takes all of it")
        let secret = try #require(codes[0].text.split(separator: ".").last.map(String.init))
        #expect(LinkCode(uid: "bob", secret: secret)?.digest(for: .join) != codes[0].digest(for: .join))
    }

    @Test("stands behind the # of a link, where no name can be taken for it")
    func link() {
        let code = LinkCode(of: "alice", for: .join)
        for server in ["https://todo.example", "https://todo.example/"] {
            let link = code.link(for: .join, at: server)
            #expect(link == "https://todo.example/#join=\(code.text)")
            #expect((try? TodoBounds.uid(String(link.split(separator: "#")[1]))) == nil)
        }
    }

    @Test("is nothing else")
    func refused() {
        let good = LinkCode(of: "alice", for: .join).text
        for text in [
            "", ".", "alice", "alice.", ".\(good.suffix(32))", "\(good)x", String(good.dropLast()),
            "al ice.\(good.suffix(32))",
            good.replacing(".", with: "/"), "\(good.dropLast())=", "\(good.dropLast())é", "\(good)\n",
            "\(String(repeating: "a", count: 65)).\(good.suffix(32))",
        ] {
            #expect(LinkCode(text) == nil, "\(text)")
        }
    }
}
