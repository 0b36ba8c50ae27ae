import HTTPServer
import JSON
import Model
import Store

/// A session that a request creates, with the parts for the store and for the client.
struct SessionCreation: Sendable {
    let session: NewSession
    /// The secret in the response, or `nil` if a cookie holds it.
    let secret: ShownSecret?
    let cookie: String?
}

extension RouteCall {
    /// Returns the session that a request asks for. A cookie is only given to the service's own pages: another page
    /// could otherwise sign a person in to a different account.
    func opening(_ draft: SessionDraft) throws(RequestError) -> SessionCreation {
        guard draft.isCookie else { return opening(device: draft.device, cookie: nil) }
        guard let cookie = service.accounts.cookie else { throw service.accounts.foreignPage }
        try service.accounts.demandOwnPage(request)
        return opening(device: draft.device, cookie: cookie)
    }

    /// Returns a session that replaces the current one.
    func succeeding(_ session: Token) -> SessionCreation {
        opening(device: session.name, cookie: isByCookie ? service.accounts.cookie : nil)
    }

    private func opening(device: String, cookie: SecretCookie?) -> SessionCreation {
        let secret = TokenSecret()
        let replaced = cookie.flatMap { $0.secret(in: request) }.map { SHA256.digest(of: $0) }
        return SessionCreation(
            session: NewSession(
                id: ResourceID(madeAt: now), device: device, secret.digest, replacing: replaced),
            secret: cookie == nil ? ShownSecret(name: "token", text: secret.text) : nil,
            cookie: cookie?.setting(secret.text))
    }

    /// A Boolean value indicating whether the request is authenticated by the cookie.
    var isByCookie: Bool {
        guard request.field("authorization") == nil, case .tcp = request.transport else { return false }
        return service.accounts.cookie?.secret(in: request) != nil
    }

    /// Returns the viewer of a request on a route that needs no credentials. Returns `nil` without a token or session
    /// cookie, or if the cookie's session has ended.
    func optionalViewer() throws(RequestError) -> Viewer? {
        let hasToken = request.field("authorization") != nil
        guard hasToken || isByCookie else { return nil }
        var trace = RequestTrace()
        do throws(RequestError) {
            return try pipeline.authenticator.caller(request, now: now, &trace).viewer
        } catch {
            guard !hasToken, case .refused(let kind, _) = error, [.tokenUnknown, .tokenExpired].contains(kind) else {
                throw error
            }
            return nil
        }
    }
}
