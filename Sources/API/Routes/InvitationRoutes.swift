import HTTPServer
import Model
import Store

/// Codes that let readers into a club.
extension Route {
    static let invitations: [Route] = [
        Route(
            .get, "/v1/clubs/{id}/invitations", "listInvitations", parameters: paged(),
            watching: .no(because: "Its changes are in /v1/changes.")
        ) { call throws(LecternError) in
            let club = try call.club(.invite)
            return try call.list(of: club) { reads, paging throws(LecternError) in
                try reads.invitations(to: club.key, after: paging.cursor, limit: paging.limit)
            }
        },
        Route(.post, "/v1/clubs/{id}/invitations", "createInvitation") { call in .former(.createInvitation, call) },
        Route(.delete, "/v1/clubs/{id}/invitations/{invitationId}", "revokeInvitation") { call in
            .former(.deleteInvitation, call)
        },
    ]
}
