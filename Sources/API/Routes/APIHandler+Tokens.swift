import HTTPServer
import JSON
import Model
import Store

extension APIHandler {
    func listTokens(_ request: borrowing Request, _ viewer: Viewer, _ response: inout ResponseWriter)
        throws(LecternError) -> Disposition
    {
        let query = try Query(request, known: ["limit", "cursor"])
        let limit = try query.limit()
        try requireJSON(request)
        let owner = viewer.role == .administrator ? nil : viewer.readerKey
        return try answer(
            list: { () throws(LecternError) in
                try self.reads.tokens(of: owner, after: query.text("cursor"), limit: limit).encoded(
                    epoch, seq: self.reads.lastSeq(of: viewer.scope))
            }, request, &response)
    }

    func getToken(_ id: ResourceID, _ request: borrowing Request, _ viewer: Viewer, _ response: inout ResponseWriter)
        throws(LecternError) -> Disposition
    {
        _ = try Query(request, known: [])
        try requireJSON(request)
        guard let token = try reads.token(id), viewer.role == .administrator || token.readerKey == viewer.readerKey
        else {
            throw .notFound
        }
        return answer(representation: token.encoded(), version: token.version, request, &response)
    }

    func createToken(_ request: borrowing Request, _ viewer: Viewer, _ response: inout ResponseWriter)
        throws(LecternError) -> Disposition
    {
        let now = Instant.now
        let draft = try TokenDraft(Body.json(request), now: now)
        let secret = TokenSecret()
        return try commit(
            CreateToken(id: ResourceID(madeAt: now), draft: draft, digest: secret.digest, viewer: viewer, now: now),
            request, viewer,
            &response, secret: Secret(name: "token", text: secret.text))
    }

    func deleteToken(_ id: ResourceID, _ request: borrowing Request, _ viewer: Viewer, _ response: inout ResponseWriter)
        throws(LecternError) -> Disposition
    {
        let precondition = Precondition(request, epoch: epoch)
        return try commit(
            RevokeToken(id: id, precondition: precondition, viewer: viewer, now: .now), request, viewer, &response)
    }

    /// A ticket stands for the token for a minute, in the query of one watching GET: a browser's EventSource sends no fields.
    func createTicket(_ request: borrowing Request, _ viewer: Viewer, _ response: inout ResponseWriter)
        throws(LecternError) -> Disposition
    {
        let (ticket, expiry) = try service.tickets.issue(to: viewer, now: .now)
        var json = JSONWriter()
        json.beginObject()
        json.name("ticket")
        json.string(ticket)
        json.name("expiresAt")
        json.instant(expiry)
        json.endObject()
        response.status(201)
        response.field("Cache-Control", "no-store")
        response.body(json.bytes, type: "application/json")
        return .answered
    }

    /// The viewer whose ticket the query carries, when the request watches and sends no Authorization.
    func ticketHolder(_ request: borrowing Request, _ route: Route) throws(LecternError) -> Viewer? {
        guard route.isWatchable, request.query.byteCount > 0, request.field("authorization") == nil, watches(request),
            let query = try? QueryParameters(request.query), let ticket = query["ticket"]
        else { return nil }
        guard let viewer = service.tickets.holder(of: ticket, now: .now) else {
            throw .refused(
                .ticketUnknown, "The ticket is not known, or older than a minute. POST /v1/tickets makes a new one.")
        }
        return viewer
    }
}
