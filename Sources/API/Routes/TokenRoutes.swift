import HTTPServer
import JSON
import Model
import Store

/// What lets a request act as a reader.
extension Route {
    static let tokens: [Route] = [
        Route(
            .get, "/v1/tokens", "listTokens", parameters: paged(),
            watching: .no(because: "Its changes are in /v1/changes.")
        ) {
            call throws(LecternError) in
            let owner = call.viewer.role == .administrator ? nil : call.viewer.readerKey
            return try call.list(in: call.viewer.scope) { reads, paging throws(LecternError) in
                try reads.tokens(of: owner, after: paging.cursor, limit: paging.limit)
            }
        },
        Route(.get, "/v1/tokens/{id}", "getToken", watching: .no(because: "Its changes are in /v1/changes.")) {
            call throws(LecternError) in
            let (id, viewer) = (try call.id(0), call.viewer)
            return .one(id) { reads throws(LecternError) -> Token? in
                guard let token = try reads.token(id),
                    viewer.role == .administrator || token.readerKey == viewer.readerKey
                else { return nil }
                return token
            }
        },
        Route(.post, "/v1/tickets", "createTicket", access: .read) { call throws(LecternError) in
            let (ticket, expiry) = try call.service.tickets.issue(to: call.viewer, now: call.now)
            var json = JSONWriter()
            json.beginObject()
            json.name("ticket")
            json.string(ticket)
            json.name("expiresAt")
            json.instant(expiry)
            json.endObject()
            return .document(Document(json.bytes, "application/json", status: 201, caching: "no-store"))
        },
        Route(.post, "/v1/tokens", "createToken") { call throws(LecternError) in
            let (draft, secret) = (try TokenDraft(call.json(), now: call.now), TokenSecret())
            return .commit(.createToken(draft, secret.digest), secret: Secret(name: "token", text: secret.text))
        },
        Route(.delete, "/v1/tokens/{id}", "deleteToken") { call throws(LecternError) in
            .commit(.revokeToken(try call.id(0)))
        },
    ]
}
