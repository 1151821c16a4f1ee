import Testing

@testable import TodoMate

@Suite("What a new password and a new name must be")
struct PasswordRuleTests {
    @Test(
        "is long enough and not too long, and not the name",
        arguments: [
            ("12345678", true), ("1234567", false), ("", false), ("비밀번호여덟글자", true), ("👨‍👩‍👧‍👦👨‍👩‍👧‍👦", false),
            (String(repeating: "x", count: 1024), true), (String(repeating: "x", count: 1025), false),
            (String(repeating: "가", count: 342), false), ("alicealice", false), ("AliceAlice", false),
            ("alicealice1", true),
        ]
    )
    func password(_ password: String, _ isGood: Bool) {
        let check = { () throws(TodoError) in try PasswordRule.check(password, of: "alicealice") }
        guard !isGood else {
            #expect(throws: Never.self) { try check() }
            return
        }
        #expect {
            try check()
        } throws: {
            guard case TodoError.invalid(let text) = $0 else { return false }
            return password.isEmpty || !text.contains(password)
        }
    }

    @Test(
        "is a user's name with a letter or a digit",
        arguments: [
            ("alice", true), ("7", true), ("a.b@c-d_e", true), (".", false), ("..", false), ("-_@", false), ("", false),
            ("a b", false),
            ("가", false), (String(repeating: "a", count: 65), false),
        ]
    )
    func name(_ name: String, _ isGood: Bool) {
        let check = { () throws(TodoError) in try UserNameRule.check(name) }
        if isGood {
            #expect(throws: Never.self) { try check() }
        } else {
            #expect(throws: TodoError.self) { try check() }
        }
    }
}
