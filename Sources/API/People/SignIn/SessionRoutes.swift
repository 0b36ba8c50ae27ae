import HTTPServer
import Model
import ObservableModels
import Passwords
import Store

/// The routes of signing in and out. A session is a token that a sign-in creates, so rules for tokens apply to it, too.
extension Route {
    static let sessions: [Route] = [
        Route(.post, "/v1/sessions", "createSession", admission: .anyone, access: .read) { call throws(RequestError) in
            let draft = try SignInDraft(call.json())
            let opening = try call.opening(draft.session)
            return switch draft.proof {
            case .password(let password, of: let name): try call.signIn(password, of: name, opening)
            case .link(let secret): try call.signIn(byLink: TokenSecret.digest(of: secret), opening)
            }
        },
        Route(.delete, "/v1/sessions", "deleteSessions", parameters: ["all"]) { call throws(RequestError) in
            let all = try call.query.bool("all") ?? false
            return .commit(
                all ? .endSessions : .deleteToken(try call.session().id),
                cookie: call.isByCookie ? call.service.accounts.cookie?.clearing : nil)
        },
    ]
}

extension RouteCall {
    /// Returns the reply that opens a session for a name and password.
    fileprivate func signIn(
        _ password: Password, of given: String, _ opening: SessionCreation
    ) throws(RequestError) -> RouteReply {
        let (accounts, name) = (service.accounts, SignInName(given))
        // A name that nobody has is limited in the same way.
        let key = Array((name?.folded ?? given).utf8)
        let guess = try accounts.admit(.signIn(name: key), from: clientAddress)
        let account = try name.flatMap { name throws(RequestError) in try reads.account(named: name) }
        let other = try account == nil ? reads.passwordHash(standingInFor: key) : nil
        return self.password(guess, location: .at("/v1/tokens"), opening: opening) { hasher throws(RequestError) in
            let isRight = hasher.check(password, against: account?.password, orLike: other)
            guard let account, let known = account.password, isRight else {
                accounts.counters.refused.add()
                throw .signInRefused
            }
            accounts.recordRight(guess, of: account.readerKey)
            let renewed = hasher.isStale(known) ? hasher.hash(password) : nil
            return .openSession(opening.session, of: account, renewing: renewed)
        } then: {
            accounts.counters.signIns.add()
        }
    }

    /// Returns the reply that opens a session by a link. It uses the password thread's queue, so that the same limits
    /// apply.
    fileprivate func signIn(byLink link: SHA256Digest, _ opening: SessionCreation) throws(RequestError) -> RouteReply {
        let accounts = service.accounts
        try reads.openLink(link, .signin, at: now)
        let guess = try accounts.admit(.reset(link), from: clientAddress)
        return password(guess, location: .at("/v1/tokens"), opening: opening) { _ in
            .openSession(opening.session, by: link)
        } then: {
            accounts.counters.signIns.add()
        }
    }

    /// Returns the session of the request. Throws `notFound` if its token is no session.
    fileprivate func session() throws(RequestError) -> Token {
        guard let id = viewer.token, let token = try reads.token(id), token.isSession else { throw .notFound }
        return token
    }
}
