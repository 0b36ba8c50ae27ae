import HTTPServer
import JSON
import Model
import Passwords
import Store

/// How readers come to have an account and a password. Their answers are sessions.
extension Route {
    static let accounts: [Route] = [
        Route(.post, "/v1/accounts", "createAccount", admission: .anyone, access: .read) { call throws(LecternError) in
            let draft = try AccountDraft(call.json())
            let opening = try call.opening(draft.session)
            let (accounts, digest) = (call.service.accounts, draft.link.map { TokenSecret.digest(of: $0) })
            let mode = accounts.settings.registration
            // Nobody makes the password thread work who would be refused for the link.
            try call.reads.demandAdmission(digest, mode, at: call.now)
            // Under what no sign-in can say, in which a control character is refused: nobody fills it from there.
            let guess = try accounts.admit([1] + Array(draft.name.folded.utf8), from: call.clientAddress)
            return .password(
                { hasher in
                    hasher.made(draft.password) { hash in
                        accounts.counters.registrations.add()
                        return .register(
                            Registration(
                                name: draft.readerName, account: (draft.name, hash), link: digest,
                                session: opening.session), mode)
                    }
                }, location: .under("/v1/tokens"), secret: opening.secret, cookie: opening.cookie,
                unless: { accounts.takeBack(guess) })
        },
        Route(.post, "/v1/password-resets", "resetPassword", admission: .anyone, access: .read) {
            call throws(LecternError) in
            let draft = try PasswordResetDraft(call.json())
            let opening = try call.opening(draft.session)
            let digest = TokenSecret.digest(of: draft.link)
            try call.reads.demandReset(digest, named: draft.name, at: call.now)
            return .password(
                { hasher in
                    hasher.made(draft.password) { hash in
                        .resetPassword(by: digest, to: hash, name: draft.name, opening.session)
                    }
                }, location: .under("/v1/tokens"), secret: opening.secret, cookie: opening.cookie)
        },
        Route(.put, "/v1/me/password", "putPassword") { call throws(LecternError) in
            let draft = try PasswordDraft(call.json())
            let (viewer, accounts) = (call.viewer, call.service.accounts)
            let account = try call.reads.account(of: viewer.readerKey)
            let known = account?.password
            try PasswordChange.demand(draft, account, viewer)
            // Who is signed in has a measure of their own, which nobody else fills.
            let guess = try accounts.admit([0] + Array("\(viewer.reader)".utf8), from: nil)
            let token = try viewer.token.flatMap { id throws(LecternError) in try call.reads.token(id) }
            let opening = token.flatMap { $0.isSession ? call.succeeding($0) : nil }
            return .password(
                { hasher in
                    if let known {
                        guard let current = draft.current, hasher.check(current, against: known) else {
                            return .failure(PasswordChange.wrong)
                        }
                    }
                    accounts.takeBack(guess)
                    return hasher.made(draft.password) { hash in
                        .changePassword(to: hash, name: draft.name, from: known, opening?.session)
                    }
                }, location: .nowhere, secret: opening?.secret, cookie: opening?.cookie,
                unless: { accounts.takeBack(guess) })
        },
    ]
}

/// What must be so before a password is changed.
private enum PasswordChange {
    static func demand(_ draft: PasswordDraft, _ account: Account?, _ viewer: Viewer) throws(LecternError) {
        if account == nil, draft.name == nil {
            throw .invalid([Violation(pointer: "/name", detail: "is required: you have none to sign in by")])
        }
        if account?.password != nil {
            if draft.current == nil { throw .invalid([Violation(pointer: "/current", detail: "is required")]) }
        } else if viewer.expiresAt != nil {
            throw .refused(.tokenEnds, "The token ends, and a password does not: sign in otherwise to choose one.")
        }
    }

    static let wrong = LecternError.invalid([Violation(pointer: "/current", detail: "is not your password")])
}
