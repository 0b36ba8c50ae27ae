import HTTPServer
import Model
import ObservableModels
import Store

/// Who asks to be let into a club.
extension Route {
    static let joinRequests: [Route] = [
        Route(.get, "/v1/requests", "listOwnRequests", parameters: paged(), watching: .whole) {
            call throws(LecternError) in
            let viewer = call.viewer
            // The log tells a club's moderators of a request, not who asks.
            return try call.list(in: viewer.scope, watch: .view(of: [.every(.joinRequest)], isTold: false)) {
                reads, paging throws(LecternError) in
                try reads.joinRequests(of: viewer.readerKey, after: paging.cursor, limit: paging.limit)
            }
        },
        Route(.get, "/v1/clubs/{id}/requests", "listJoinRequests", parameters: paged(), watching: .whole) {
            call throws(LecternError) in
            try call.list(whoMay: .invite) { reads, club, paging throws(LecternError) in
                try reads.joinRequests(toClub: club.key, after: paging.cursor, limit: paging.limit)
            }
        },
        Route(.get, "/v1/requests/{id}", "getOwnRequest", watching: .whole) { call throws(LecternError) in
            try call.ownRequest(call.id(0))
        },
        Route(.get, "/v1/listings/{id}/requests/{requestId}", "getListingRequest", watching: .whole) {
            call throws(LecternError) in
            try call.ownRequest(call.id(1), to: call.id(0))
        },
        Route(.get, "/v1/clubs/{id}/requests/{requestId}", "getJoinRequest", watching: .whole) {
            call throws(LecternError) in
            let id = try call.id(1)
            return try call.one(id, whoMay: .invite) { reads, club throws(LecternError) in
                try reads.joinRequest(id).flatMap { $0.clubKey == club.key ? $0 : nil }
            }
        },
        Route(.post, "/v1/listings/{id}/requests", "createJoinRequest", inBatches: true) { call throws(LecternError) in
            .commit(.askToJoin(try call.id(0), try JoinRequestDraft(call.json())), location: .under("/v1/requests"))
        },
        Route(.put, "/v1/listings/{id}/requests/{requestId}", "putJoinRequest", inBatches: true) {
            call throws(LecternError) in
            let body = try call.json()
            return .commit(
                .askToJoin(try call.id(0), try JoinRequestDraft(body), as: try call.claim(1, of: body)),
                location: .under("/v1/requests"))
        },
        Route(.delete, "/v1/requests/{id}", "deleteOwnRequest", inBatches: true) { call throws(LecternError) in
            .commit(.deleteJoinRequest(try call.id(0)))
        },
        Route(.patch, "/v1/clubs/{id}/requests/{requestId}", "updateJoinRequest", inBatches: true) {
            call throws(LecternError) in
            .commit(
                .answerJoinRequest(
                    try call.id(1), of: try call.id(0), try JoinRequestPatch(call.json(mergePatch: true))))
        },
    ]
}

extension Call {
    /// A request of the viewer's own, to a certain club where one is given.
    fileprivate func ownRequest(_ id: ResourceID, to club: ResourceID? = nil) throws(LecternError) -> Reply {
        let reader = viewer.readerKey
        // The log tells a club's moderators of a request, not its reader.
        return one(id, watch: .view(of: [.every(.joinRequest)], isTold: false)) {
            reads throws(LecternError) -> JoinRequest? in
            guard let request = try reads.joinRequest(id), request.readerKey == reader else { return nil }
            return club == nil || request.club == club ? request : nil
        }
    }
}
