import HTTPServer
import JSON
import Model
import Store

/// A session on its way: what the store is given, and what the client is.
struct OpeningSession: Sendable {
    let session: NewSession
    /// Shown in the answer, unless a browser keeps it.
    let secret: Secret?
    let cookie: String?
}

extension Call {
    /// The session that a request asks for. Whoever wants it in a cookie must be a page of ours: else another's could sign somebody in
    /// as somebody else.
    func opening(_ draft: SessionDraft) throws(LecternError) -> OpeningSession {
        guard draft.isCookie else { return opening(device: draft.device, cookie: nil) }
        guard let cookie = service.accounts.cookie else { throw service.accounts.foreignPage }
        try service.accounts.demandOwnPage(request)
        return opening(device: draft.device, cookie: cookie)
    }

    /// A session in the place of the one that asks.
    func succeeding(_ session: Token) -> OpeningSession {
        opening(device: session.name, cookie: isByCookie ? service.accounts.cookie : nil)
    }

    private func opening(device: String, cookie: SessionCookie?) -> OpeningSession {
        let secret = TokenSecret()
        let replaced = cookie.flatMap { $0.secret(in: request) }.map { SHA256.digest(of: $0) }
        return OpeningSession(
            session: NewSession(
                id: ResourceID(madeAt: now), device: device, secret.digest, replacing: replaced),
            secret: cookie == nil ? Secret(name: "token", text: secret.text) : nil,
            cookie: cookie?.given(secret.text))
    }

    /// Whether what the request comes with is the cookie.
    var isByCookie: Bool {
        guard request.field("authorization") == nil, case .tcp = request.transport else { return false }
        return service.accounts.cookie?.secret(in: request) != nil
    }
}
