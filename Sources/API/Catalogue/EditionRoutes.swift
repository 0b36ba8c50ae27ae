import HTTPServer
import Model
import ObservableModels
import Store

/// The routes of a book's editions, and of its chapters in them.
extension Route {
    static let editions: [Route] = [
        Route(.get, "/v1/books/{id}/editions", "listEditions", parameters: paged(), watching: .whole) {
            call throws(RequestError) in
            let book = try call.id(0)
            guard try call.reads.book(book) != nil else { throw .notFound }
            return try call.list(
                ReadConnection.editions, in: .everyone, where: .having("book", book), whole: .resource(.book, book))
        },
        Route(.post, "/v1/books/{id}/editions", "createEdition", inBatches: true) { call throws(RequestError) in
            .commit(
                .createEdition(of: try call.id(0), try EditionPatch(call.json(), form: .whole)),
                location: .at("/v1/editions"))
        },
        Route(.put, "/v1/editions/{id}", "putEdition", inBatches: true) { call throws(RequestError) in
            let body = try call.json()
            return .commit(.createEdition(try EditionDraft(body)).claiming(try call.claim(0, of: body), .edition))
        },
        Route(.get, "/v1/editions/{id}", "getEdition", watching: .whole) { call throws(RequestError) in
            let id = try call.id(0)
            return try call.one(id, cacheScope: .everyone) { reads throws(RequestError) in try reads.edition(id) }
        },
        writing(.patch, "/v1/editions/{id}", "updateEdition") { .updateEdition($0[0], $1) },
        deleting("/v1/editions/{id}", "deleteEdition") { .deleteEdition($0[0]) },
        Route(.get, "/v1/books/{id}/chapters", "getChapters", watching: .whole) { call throws(RequestError) in
            let book = try call.id(0)
            return try call.one(book, cacheScope: .everyone) { reads throws(RequestError) in
                try reads.chapters(ofBook: book)
            }
        },
        writing(.put, "/v1/books/{id}/chapters", "putChapters") { .putChapters(of: $0[0], $1) },
    ]
}
