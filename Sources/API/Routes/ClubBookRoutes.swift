import HTTPServer
import Model
import ObservableModels
import Store

/// What a club reads, by its books: the latest run of each.
extension Route {
    static let clubBooks: [Route] = [
        Route(.get, "/v1/clubs/{id}/books", "listClubBooks", parameters: paged()) { call throws(LecternError) in
            var chosen = RunFilter()
            chosen.isChosen = true
            return try call.runs(chosen)
        },
        Route(.get, "/v1/clubs/{id}/books/{bookId}", "getClubBook", watching: .whole) { call throws(LecternError) in
            let (club, book) = (try call.club(.see), try call.id(1))
            // Another run may become the latest.
            let watch = Watch.view(of: [.list(.clubBook, .club(key: club.key))], club: club.key)
            return call.one(book, watch: watch) { reads throws(LecternError) in
                try reads.run(latestOf: book, inClub: club.key)
            }
        },
        Route(.put, "/v1/clubs/{id}/books/{bookId}", "putClubBook", inBatches: true) { call throws(LecternError) in
            .commit(.putClubBook(try call.id(1), of: try call.id(0), try ClubBookPatch(call.json(), form: .whole)))
        },
        Route(.patch, "/v1/clubs/{id}/books/{bookId}", "updateClubBook", inBatches: true) { call throws(LecternError) in
            .commit(
                .patchClubBook(
                    try call.id(1), of: try call.id(0), try ClubBookPatch(call.json(mergePatch: true), form: .patch)))
        },
        Route(.delete, "/v1/clubs/{id}/books/{bookId}", "deleteClubBook", inBatches: true) {
            call throws(LecternError) in
            .commit(.deleteClubBook(try call.id(1), of: try call.id(0)))
        },
    ]
}
