import HTTPServer
import Model
import ObservableModels
import Store

extension APIHandler {
    func listCards(_ request: borrowing Request, _ viewer: Viewer, _ response: inout ResponseWriter)
        throws(LecternError) -> Disposition
    {
        let query = try Query(request, known: Query.ofReadings + Query.ofStreams)
        let filter = ReadingFilter(state: try query.choice("state"), book: try query.id("book"))
        let limit = try query.limit()
        _ = try query.fields(of: .card)
        let page = { () throws(LecternError) in
            // A card shows a book too: what has happened to either must be watched from here on.
            try self.encoded(
                self.reads.cards(
                    of: viewer.readerKey, filter, after: query.text("cursor"), limit: limit,
                    known: self.known(as: .card)),
                scope: viewer.scope, seq: max(self.reads.lastSeq(of: viewer.scope), self.reads.lastSeq(of: .everyone)))
        }
        guard watches(request) else { return try answer(list: page, request, &response) }
        let watch = Watch(topics: [.list(.card, viewer.scope)], kind: .card, filter: .readings(filter))
        return try stream(watch, query, viewer, request, &response, snapshot: page)
    }

    func getCard(_ id: ResourceID, _ request: borrowing Request, _ viewer: Viewer, _ response: inout ResponseWriter)
        throws(LecternError) -> Disposition
    {
        let load = { () throws(LecternError) -> Card in
            guard let reading = try self.reading(id, viewer), let book = try self.reads.book(reading.book) else {
                throw .notFound
            }
            return Card(reading: reading, book: book)
        }
        if watches(request) {
            let query = try Query(request, known: Query.ofStreams)
            let watch = Watch(topics: [.resource(.card, id)], kind: .card, filter: nil)
            return try stream(watch, query, viewer, request, &response) { () throws(LecternError) in
                EncodedPage(body: try load().encoded(), next: nil)
            }
        }
        _ = try Query(request, known: Query.ofStreams).fields(of: .card)
        try requireJSON(request)
        let card = try read(load)
        return answer(representation: card.encoded(), version: card.version, request, &response)
    }
}
