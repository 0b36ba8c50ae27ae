import HTTPServer
import Model
import Store

/// Who is in a club, and who was taken out of it.
extension Route {
    static let members: [Route] = [
        Route(.get, "/v1/clubs/{id}/members", "listMembers", parameters: paged()) { call throws(LecternError) in
            let club = try call.club(.see)
            return try call.list(of: club) { reads, paging throws(LecternError) in
                try reads.members(of: club.key, after: paging.cursor, limit: paging.limit)
            }
        },
        Route(
            .get, "/v1/clubs/{id}/removals", "listRemovals", parameters: paged(),
            watching: .no(because: "Its changes are in /v1/changes.")
        ) { call throws(LecternError) in
            let club = try call.club(.removeMembers)
            return try call.list(of: club) { reads, paging throws(LecternError) in
                try reads.removals(from: club.key, after: paging.cursor, limit: paging.limit)
            }
        },
        Route(.post, "/v1/memberships", "joinClub") { call in .former(.createMembership, call) },
        Route(.patch, "/v1/clubs/{id}/members/{readerId}", "updateMember") { call in .former(.patchMember, call) },
        Route(.delete, "/v1/clubs/{id}/members/{readerId}", "deleteMember", parameters: ["ban"]) { call in
            .former(.deleteMember, call)
        },
        Route(.delete, "/v1/clubs/{id}/removals/{removalId}", "liftRemoval") { call in .former(.deleteRemoval, call) },
    ]
}
