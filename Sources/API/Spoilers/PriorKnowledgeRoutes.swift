import HTTPServer
import Model
import Store

/// The routes of a reader's prior knowledge of books, which is private.
extension Route {
    static let knowledge: [Route] = [
        Route(.get, "/v1/books/{id}/knowledge", "getKnowledge", watching: .whole) { call throws(RequestError) in
            let id = PriorKnowledge.id(of: call.viewer.reader, book: try call.id(0))
            return try call.one(id, cacheScope: call.viewer.scope) { reads throws(RequestError) in
                try reads.knowledge(id)
            }
        },
        writing(.put, "/v1/books/{id}/knowledge", "putKnowledge") { .putKnowledge(of: $0[0], $1) },
        deleting("/v1/books/{id}/knowledge", "deleteKnowledge") { .deleteKnowledge(of: $0[0]) },
    ]
}
