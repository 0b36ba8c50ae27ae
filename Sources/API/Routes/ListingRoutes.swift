import HTTPServer
import Model
import Store

/// Clubs that can be found.
extension Route {
    static let listings: [Route] = [
        Route(.get, "/v1/listings", "listListings", parameters: paged()) { call throws(LecternError) in
            try call.list(in: .everyone) { reads, paging throws(LecternError) in
                try reads.listings(after: paging.cursor, limit: paging.limit)
            }
        },
        Route(.get, "/v1/listings/{id}", "getListing") { call throws(LecternError) in
            let id = try call.id(0)
            return call.one(id, held: .everyone) { reads throws(LecternError) in try reads.listing(id) }
        },
    ]
}
