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

}
