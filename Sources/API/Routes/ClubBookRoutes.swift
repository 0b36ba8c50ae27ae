import HTTPServer
import Model
import Store

/// What a club reads.
extension Route {
    static let clubBooks: [Route] = [
        Route(.get, "/v1/clubs/{id}/books", "listClubBooks", parameters: paged()) { call throws(LecternError) in
            let club = try call.club(.see)
            return try call.list(of: club) { reads, paging throws(LecternError) in
                try reads.books(ofClub: club.key, after: paging.cursor, limit: paging.limit)
            }
        },
        Route(.put, "/v1/clubs/{id}/books/{bookId}", "putClubBook") { call in .former(.putClubBook, call) },
        Route(.patch, "/v1/clubs/{id}/books/{bookId}", "patchClubBook") { call in .former(.patchClubBook, call) },
        Route(.delete, "/v1/clubs/{id}/books/{bookId}", "deleteClubBook") { call in .former(.deleteClubBook, call) },
    ]
}
