import HTTPServer
import Model
import ObservableModels
import Store

/// The routes of clubs, in which readers read together.
extension Route {
    static let clubs: [Route] = [
        Route(.get, "/v1/clubs", "listClubs", parameters: paged("q", "sort"), watching: .whole) {
            call throws(RequestError) in
            let (search, viewer) = (try call.query.search("q"), call.viewer)
            let bestFirst = try call.query.bestFirst(search, orElse: "-joinedAt")
            let watch = WatchPlan.view(of: [.list(.membership, viewer.scope)]) { club, _, _ in
                [.list(.club, .club(key: club))]
            }
            return try call.list(in: viewer.scope, watch: watch) { reads, paging throws(RequestError) in
                try reads.clubs(
                    of: viewer.readerKey, search: search, bestFirst: bestFirst, after: paging.cursor,
                    limit: paging.limit)
            }
        },
        Route(.get, "/v1/clubs/{id}", "getClub") { call throws(RequestError) in
            let (id, viewer) = (try call.id(0), call.viewer)
            return try call.one(id, of: try call.club(.see).key) { reads throws(RequestError) in
                try reads.club(id, for: viewer, to: .see)
            }
        },
        writing(.patch, "/v1/clubs/{id}", "updateClub") { .updateClub($0[0], $1) },
        deleting("/v1/clubs/{id}", "deleteClub") { .deleteClub($0[0]) },
    ]

    static let clubCreation: [Route] = creating(.club, "/v1/clubs", "createClub", "/v1/clubs/{id}", "putClub") {
        .createClub($1)
    }
}
