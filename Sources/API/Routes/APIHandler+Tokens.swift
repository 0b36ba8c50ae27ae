import HTTPServer
import JSON
import Model
import Store

extension APIHandler {
    func createToken(_ request: borrowing Request, _ viewer: Viewer, _ response: inout ResponseWriter)
        throws(LecternError) -> Disposition
    {
        let now = Instant.now
        let draft = try TokenDraft(Body.json(request), now: now)
        let secret = TokenSecret()
        return try commit(
            .createToken(draft, secret.digest), request, viewer, &response,
            secret: Secret(name: "token", text: secret.text))
    }

    func deleteToken(_ id: ResourceID, _ request: borrowing Request, _ viewer: Viewer, _ response: inout ResponseWriter)
        throws(LecternError) -> Disposition
    {
        return try commit(.revokeToken(id), request, viewer, &response)
    }

}
