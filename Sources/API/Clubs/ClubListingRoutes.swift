import HTTPServer
import Model
import ObservableModels
import Store

/// The routes of listings: clubs that readers can find.
extension Route {
    static let listings: [Route] = [
        Route(.get, "/v1/listings", "listListings", parameters: paged("club", "q", "sort")) {
            call throws(RequestError) in
            let search = try call.query.search("q")
            let bestFirst = try call.query.bestFirst(search, orElse: "foundedAt")
            if let club = try call.query.id("club") {
                guard search == nil else { throw call.query.refusal("club", "is not for a search") }
                return try call.list(ReadConnection.listings, in: .everyone, where: .having("id", club))
            }
            return try call.list(
                in: .everyone, watch: try call.best(bestFirst, of: .listing, in: [.everyone]),
                filter: .all.matching(search), order: ReadConnection.listings.order
            ) {
                reads, paging throws(RequestError) in
                try reads.listings(search: search, bestFirst: bestFirst, after: paging.cursor, limit: paging.limit)
            }
        }
    ]
}
