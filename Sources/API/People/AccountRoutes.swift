import HTTPServer
import JSON
import Model
import Passwords
import Store

/// The routes of accounts and passwords. Their responses are sessions.
extension Route {
    static let accounts: [Route] = [
        Route(.post, "/v1/accounts", "createAccount", admission: .anyone, access: .read) { call throws(RequestError) in
            let draft = try AccountDraft(call.json())
            let opening = try call.opening(draft.session)
            let (accounts, digest) = (call.service.accounts, draft.link.map { TokenSecret.digest(of: $0) })
            let policy = accounts.settings.registrationPolicy
            // An invalid link is refused before the password thread works for it.
            try call.reads.demandAdmission(digest, policy.mode, at: call.now)
            if digest == nil { try accounts.demandRoomForRegistration() }
            try draft.password.demandUnlike(
                [draft.readerName]
                    + (try digest.map { digest throws(RequestError) in try call.reads.clubNames(of: digest) } ?? []))
            let guess = try accounts.admit(
                .registration(name: Array(draft.name.folded.utf8), invitation: digest), from: call.clientAddress)
            // The guess limit comes first. Otherwise a client could test many names for existing accounts.
            try call.reads.demandFree(draft.name)
            return call.password(guess, location: .at("/v1/tokens"), opening: opening) { hasher throws(RequestError) in
                let account = (draft.name, try hasher.hashed(draft.password.password))
                return .register(
                    named: draft.readerName, account: account, link: digest, opening.session, policy,
                    registrationCheck: accounts.registrationCheck)
            } then: {
                accounts.counters.registrations.add()
                // Others with the same address, such as a class, may register, too.
                accounts.takeBack(guess)
            }
        },
        Route(.post, "/v1/password-resets", "resetPassword", admission: .anyone, access: .read) {
            call throws(RequestError) in
            let draft = try PasswordResetDraft(call.json())
            let opening = try call.opening(draft.session)
            let digest = TokenSecret.digest(of: draft.link)
            let reader = try call.reads.demandReset(digest, named: draft.name, at: call.now)
            try draft.password.demandUnlike(call.reads.names(of: reader))
            let guess = try call.service.accounts.admit(.reset(digest), from: call.clientAddress)
            if let name = draft.name { try call.reads.demandFree(name, for: reader) }
            return call.password(guess, location: .at("/v1/tokens"), opening: opening) { hasher throws(RequestError) in
                let hash = try hasher.hashed(draft.password.password)
                return .resetPassword(by: digest, to: hash, name: draft.name, endsAll: draft.endsAll, opening.session)
            }
        },
        Route(.put, "/v1/me/password", "putPassword") { call throws(RequestError) in
            let draft = try PasswordChangeDraft(call.json())
            let (viewer, accounts) = (call.viewer, call.service.accounts)
            let account = try call.reads.account(of: viewer.readerKey)
            let known = account?.password
            try PasswordChange.demand(draft, account, viewer)
            try draft.password.demandUnlike(call.reads.names(of: viewer.readerKey))
            // A reader who is signed in has a guess limit of their own, which nobody else can use up.
            let guess = try accounts.admit(.proof(reader: viewer.readerKey))
            if let name = draft.name { try call.reads.demandFree(name, for: viewer.readerKey) }
            let token = try viewer.token.flatMap { id throws(RequestError) in try call.reads.token(id) }
            let opening = token.flatMap { $0.isSession ? call.succeeding($0) : nil }
            return call.password(guess, opening: opening) { hasher throws(RequestError) in
                if let known {
                    guard let current = draft.current, hasher.check(current, against: known) else {
                        throw .wrongPassword
                    }
                }
                accounts.recordRight(guess, of: viewer.readerKey)
                let hash = try hasher.hashed(draft.password.password)
                return .putPassword(to: hash, name: draft.name, from: known, opening?.session)
            }
        },
    ]
}

/// The conditions for a change of password.
private enum PasswordChange {
    static func demand(_ draft: PasswordChangeDraft, _ account: Account?, _ viewer: Viewer) throws(RequestError) {
        if account == nil, draft.name == nil {
            throw .invalid([Violation(pointer: "/name", detail: "is required: you have no sign-in name yet")])
        }
        if account?.password != nil {
            if draft.current == nil { throw .invalid([Violation(pointer: "/current", detail: "is required")]) }
        } else if viewer.expiresAt != nil {
            throw .refused(
                .tokenEnds,
                "A token that expires cannot set a password, which does not expire. Sign in another way first.")
        }
    }
}

extension RequestError {
    /// The refusal of a wrong current password.
    static let wrongPassword = RequestError.invalid([Violation(pointer: "/current", detail: "is not your password")])
}
