import HTTPServer
import Model
import Store

/// Who asks to be let into a club.
extension Route {
    static let joinRequests: [Route] = [
        Route(
            .get, "/v1/requests", "listOwnRequests", parameters: paged(),
            watching: .no(because: "Its changes are in /v1/changes.")
        ) {
            call throws(LecternError) in
            let viewer = call.viewer
            return try call.list(in: viewer.scope) { reads, paging throws(LecternError) in
                try reads.joinRequests(of: viewer.readerKey, after: paging.cursor, limit: paging.limit)
            }
        },
        Route(
            .get, "/v1/clubs/{id}/requests", "listJoinRequests", parameters: paged(),
            watching: .no(because: "Its changes are in /v1/changes.")
        ) { call throws(LecternError) in
            let club = try call.club(.invite)
            return try call.list(of: club) { reads, paging throws(LecternError) in
                try reads.joinRequests(toClub: club.key, after: paging.cursor, limit: paging.limit)
            }
        },
        Route(.post, "/v1/listings/{id}/requests", "createJoinRequest") { call in .former(.createJoinRequest, call) },
        Route(.delete, "/v1/requests/{id}", "deleteOwnRequest") { call in .former(.deleteOwnRequest, call) },
        Route(.patch, "/v1/clubs/{id}/requests/{requestId}", "patchJoinRequest") { call in
            .former(.patchJoinRequest, call)
        },
    ]
}
