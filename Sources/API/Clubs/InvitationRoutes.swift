import HTTPServer
import Model
import Store

/// The routes of invitations: codes with which readers join a club.
extension Route {
    static let invitations: [Route] = [
        Route(.get, "/v1/clubs/{id}/invitations", "listInvitations", parameters: paged(), watching: .whole) {
            call throws(RequestError) in
            try call.list(ReadConnection.invitations, whoMay: .invite)
        },
        Route(.post, "/v1/clubs/{id}/invitations", "createInvitation") { call throws(RequestError) in
            let (club, draft) = (try call.id(0), try InvitationDraft(call.json(), now: call.now))
            let code = TokenSecret(prefix: "").text
            return .commit(
                .createInvitation(to: club, draft, code: code), location: .nowhere,
                secret: ShownSecret(name: "code", text: code))
        },
        deleting("/v1/clubs/{id}/invitations/{invitationId}", "deleteInvitation") {
            .deleteInvitation($0[1], to: $0[0])
        },
    ]
}
