import Foundation

/// What this server writes to people.
struct MailText: Sendable {
    /// What a mail is about, which is also how logs call it.
    enum Kind: String, Sendable {
        case confirmation, reset, changed, removed, test
    }

    let kind: Kind
    /// Whose account.
    let uid: String
    /// Where people find this server.
    let server: String
    /// What the mail lets its reader do, once; nil where it only tells something.
    var link: String?

    /// How people call the server.
    private var place: String { URLComponents(string: server)?.host ?? server }

    func subject(in language: MailLanguage) -> String {
        switch (kind, language) {
        case (.confirmation, .english): "Confirm this address for \(uid) at \(place)"
        case (.confirmation, .korean): "\(place)의 \(uid) 계정에 쓸 메일 주소를 확인해 주십시오"
        case (.reset, .english): "A new password for \(uid) at \(place)"
        case (.reset, .korean): "\(place)의 \(uid) 계정 비밀번호 재설정"
        case (.changed, .english): "Another mail address for \(uid) at \(place)"
        case (.changed, .korean): "\(place)의 \(uid) 계정 메일 주소가 바뀌었습니다"
        case (.removed, .english): "No mail address any more for \(uid) at \(place)"
        case (.removed, .korean): "\(place)의 \(uid) 계정 메일 주소가 삭제되었습니다"
        case (.test, .english): "A test from \(place)"
        case (.test, .korean): "\(place)의 시험 메일"
        }
    }

    func body(in language: MailLanguage) -> String {
        let words = language == .korean ? korean : english
        return ([words.opening, link, words.closing].compactMap(\.self).joined(separator: "\n\n")) + "\n"
    }

    private var english: (opening: String, closing: String?) {
        let refuge =
            "If it was not you: sign in, change the password and put this address back, under My account. If you cannot "
            + "sign in any more, ask whoever runs the server."
        return switch kind {
        case .confirmation:
            (
                "Somebody who knows the password of the account \(uid) at \(server) wants its mail to come to this address. "
                    + "Open this link within a day to confirm that:",
                "If it was not you, do nothing: no mail will come."
            )
        case .reset:
            (
                "Somebody, probably you, has asked for a new password of the account \(uid) at \(server). Open this link "
                    + "within an hour to set one:",
                "Every place where the account is signed in is signed out then. If it was not you, do nothing: the password "
                    + "stays as it is, and nobody else has this link."
            )
        case .changed:
            (
                "Mail of the account \(uid) at \(server) goes to another address from now on, and no more to this one.",
                refuge
            )
        case .removed: ("The account \(uid) at \(server) has this address no more, and no other one.", refuge)
        case .test: ("Mail from \(server) arrives.", nil)
        }
    }

    private var korean: (opening: String, closing: String?) {
        let refuge =
            "본인이 한 일이 아니면 로그인해서 비밀번호를 바꾸고 ‘내 계정’에서 이 주소를 다시 등록하십시오. 로그인할 수 없으면 서버 운영자에게 "
            + "문의하십시오."
        return switch kind {
        case .confirmation:
            (
                "\(server)에 있는 \(uid) 계정의 비밀번호를 아는 사람이 이 주소로 메일을 받으려고 합니다. 하루 안에 아래 링크를 열어 "
                    + "확인하십시오.",
                "본인이 아니면 그대로 두십시오. 메일이 오지 않습니다."
            )
        case .reset:
            (
                "\(server)에 있는 \(uid) 계정의 새 비밀번호 요청을 받았습니다. 한 시간 안에 아래 링크를 열어 새 비밀번호를 "
                    + "정하십시오.",
                "그러면 로그인한 곳에서 모두 로그아웃됩니다. 본인이 요청하지 않았으면 그대로 두십시오. 비밀번호는 바뀌지 않으며 이 링크는 "
                    + "다른 사람에게 없습니다."
            )
        case .changed: ("\(server)에 있는 \(uid) 계정의 메일은 이제 다른 주소로 가며 이 주소로는 오지 않습니다.", refuge)
        case .removed: ("\(server)에 있는 \(uid) 계정에서 이 메일 주소가 삭제되었으며 다른 주소는 없습니다.", refuge)
        case .test: ("\(server)에서 보낸 메일이 도착했습니다.", nil)
        }
    }
}
