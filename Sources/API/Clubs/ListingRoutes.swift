import HTTPServer
import Model
import ObservableModels
import Store

/// The routes of listings: clubs that readers can find.
extension Route {
    static let listings: [Route] = [
        Route(.get, "/v1/listings", "listListings", parameters: paged("q", "sort")) { call throws(LecternError) in
            let search = try call.query.search("q")
            let bestFirst = try call.query.bestFirst(search, orElse: "foundedAt")
            return try call.list(
                in: .everyone, watch: try call.best(bestFirst, of: .listing, in: .everyone),
                filter: search.map { .words($0) } ?? .all, order: .oldestFirst
            ) {
                reads, paging throws(LecternError) in
                try reads.listings(search: search, bestFirst: bestFirst, after: paging.cursor, limit: paging.limit)
            }
        },
        Route(.get, "/v1/listings/{id}", "getListing") { call throws(LecternError) in
            let id = try call.id(0)
            return call.one(id, held: .everyone) { reads throws(LecternError) in try reads.listing(id) }
        },
    ]
}
