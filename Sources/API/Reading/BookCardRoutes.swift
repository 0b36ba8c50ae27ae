import HTTPServer
import Model
import ObservableModels
import Store

/// The routes of cards: readings, each with its book.
extension Route {
    static let cards: [Route] = [
        Route(.get, "/v1/cards", "listCards", parameters: paged("q", "state", "book", "sort")) {
            call throws(RequestError) in
            let filter = try ListFilter(readings: call.query)
            let bestFirst = try call.query.bestFirst(filter.search, orElse: "-createdAt")
            let viewer = call.viewer
            // A card shows a book, too, so the page's place in the log includes changes of books.
            return try call.list(
                in: viewer.scope, besides: .everyone, filter: filter, order: .newestFirst,
                watch: try call.best(bestFirst, of: .card, in: [viewer.scope])
            ) {
                reads, paging, known throws(RequestError) in
                try reads.cards(
                    of: viewer.readerKey, filter, bestFirst: bestFirst, after: paging.cursor, limit: paging.limit,
                    known: known)
            }
        },
        Route(.get, "/v1/cards/{id}", "getCard") { call throws(RequestError) in
            let (id, viewer) = (try call.id(0), call.viewer)
            return try call.one(id) { reads throws(RequestError) in
                try reads.read { () throws(RequestError) -> BookCard? in
                    guard let reading = try reads.reading(id, of: viewer), let book = try reads.book(reading.book)
                    else { return nil }
                    return BookCard(reading: reading, book: book)
                }
            }
        },
    ]
}
