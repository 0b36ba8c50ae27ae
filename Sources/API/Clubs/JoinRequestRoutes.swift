import HTTPServer
import Model
import ObservableModels
import Store

/// The routes of requests to join clubs.
extension Route {
    static let joinRequests: [Route] = [
        Route(.get, "/v1/requests", "listJoinRequests", parameters: paged("club"), watching: .whole) {
            call throws(RequestError) in
            if let club = try call.query.id("club") {
                return try call.list(
                    ReadConnection.joinRequests, in: club, whoMay: .invite,
                    where: .having("state", JoinRequestState.waiting))
            }
            // The log has requests for the club's moderators, but not for their own readers.
            return try call.list(
                ReadConnection.ownJoinRequests, watch: .view(of: [.every(.joinRequest)], isFullyLogged: false))
        },
        Route(.get, "/v1/requests/{id}", "getJoinRequest", watching: .whole) { call throws(RequestError) in
            let (id, viewer) = (try call.id(0), call.viewer)
            // The log has the request for the club's moderators, but not for its own reader.
            return try call.one(id, watch: .view(of: [.every(.joinRequest)], isFullyLogged: false)) {
                reads throws(RequestError) -> JoinRequest? in
                guard let request = try reads.joinRequest(id) else { return nil }
                if request.readerKey == viewer.readerKey { return request }
                let member = try reads.club(request.club, of: viewer.readerKey)?.member
                return member.map { ClubRights.allow(.invite, $0.role) } ?? false ? request : nil
            }
        },
        writing(.patch, "/v1/requests/{id}", "updateJoinRequest") { .updateJoinRequest($0[0], $1) },
        deleting("/v1/requests/{id}", "deleteJoinRequest") { .deleteJoinRequest($0[0]) },
    ]

    static let joinRequestCreation: [Route] = creating(
        .joinRequest, "/v1/requests", "createJoinRequest", "/v1/requests/{id}", "putJoinRequest"
    ) { .createJoinRequest($1) }
}
