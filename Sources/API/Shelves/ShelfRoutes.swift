import HTTPServer
import Model
import ObservableModels
import Store

/// The routes of shelves, readers' lists of books.
extension Route {
    static let shelves: [Route] = [
        Route(.get, "/v1/shelves", "listShelves", parameters: paged("club"), watching: .whole) {
            call throws(RequestError) in
            if let club = try call.query.id("club") { return try call.shelves(sharedWith: club) }
            return try call.list(ReadConnection.shelves)
        },
        Route(.get, "/v1/shelves/{id}", "getShelf", watching: .whole) { call throws(RequestError) in
            let (id, reader) = (try call.id(0), call.viewer.readerKey)
            // A reader's own shelf that was deleted is replayed from the log, like any other resource of theirs.
            let watch = try call.reads.shelf(id, seenBy: reader)?.watch(for: call.viewer, .resource(.shelf, id))
            return try call.one(id, watch: watch) { reads throws(RequestError) in try reads.shelf(id, seenBy: reader) }
        },
        Route(.get, "/v1/shelves/{id}/books", "listShelfBooks", parameters: paged(), watching: .whole) {
            call throws(RequestError) in
            let (shelf, viewer) = (try call.shelf(), call.viewer)
            let own = WatchPlan(
                topics: [.list(.shelfBook, viewer.scope)], kind: .shelfBook, filter: .having("shelf", shelf.id),
                whole: .resource(.shelf, shelf.id))
            let page = { (reads: ReadConnection, paging: PageRequest) throws(RequestError) in
                guard let shelf = try reads.shelf(shelf.id, seenBy: viewer.readerKey) else { throw .notFound }
                return try ReadConnection.shelfBooks.page(
                    reads, of: shelf.key, after: paging.cursor, limit: paging.limit)
            }
            guard let club = shelf.club, shelf.readerKey != viewer.readerKey else {
                return try call.list(in: viewer.scope, watch: own, order: ReadConnection.shelfBooks.order, page)
            }
            let books: WatchTopic = .list(.shelfBook, .reader(key: shelf.readerKey))
            let watch = shelf.watch(for: viewer, books, .resource(.shelf, shelf.id))
            return try call.list(in: try call.reads.club(club, for: viewer, to: .see).scope, watch: watch, page)
        },
        writing(.patch, "/v1/shelves/{id}", "updateShelf") { .updateShelf($0[0], $1) },
        deleting("/v1/shelves/{id}", "deleteShelf") { .deleteShelf($0[0]) },
        Route(.get, "/v1/shelves/{id}/books/{bookId}", "getShelfBook", watching: .whole) { call throws(RequestError) in
            let (shelf, book, reader) = (try call.shelf(), try call.id(1), call.viewer.readerKey)
            let parts: [WatchTopic] = [.list(.shelfBook, .reader(key: shelf.readerKey)), .resource(.shelf, shelf.id)]
            let watch = shelf.watch(for: call.viewer, parts[0], parts[1]) ?? .view(of: parts)
            return try call.one(book, watch: watch) { reads throws(RequestError) in
                guard let shelf = try reads.shelf(shelf.id, seenBy: reader) else { throw .notFound }
                return try reads.book(book, on: shelf)
            }
        },
        writing(.put, "/v1/shelves/{id}/books/{bookId}", "putShelfBook") { .putShelfBook($0[1], on: $0[0], $1) },
        deleting("/v1/shelves/{id}/books/{bookId}", "deleteShelfBook") { .deleteShelfBook($0[1], on: $0[0]) },
    ]

    static let shelfCreation: [Route] = creating(.shelf, "/v1/shelves", "createShelf", "/v1/shelves/{id}", "putShelf") {
        .createShelf($1)
    }
}

extension RouteCall {
    /// Returns the shelves that members share with a club.
    fileprivate func shelves(sharedWith club: ResourceID) throws(RequestError) -> RouteReply {
        let (club, viewer) = (try reads.club(club, for: viewer, to: .see), viewer)
        let parts: [WatchTopic] = [.every(.shelf), .list(.block, viewer.scope), .list(.member, club.scope)]
        return try list(in: club.scope, watch: .view(of: parts, club: club.key, isFullyLogged: false)) {
            reads, paging throws(RequestError) in
            try reads.shelves(ofClub: club.key, seenBy: viewer.readerKey, after: paging.cursor, limit: paging.limit)
        }
    }

    /// Returns the shelf in the path, if the viewer may see it.
    fileprivate func shelf() throws(RequestError) -> Shelf {
        guard let shelf = try reads.shelf(id(0), seenBy: viewer.readerKey) else { throw .notFound }
        return shelf
    }
}

extension Shelf {
    /// Returns the watch for viewers other than the shelf's reader: a view, because the log has the shelf's changes for
    /// its reader only. Returns `nil` for the reader.
    fileprivate func watch(for viewer: Viewer, _ parts: WatchTopic...) -> WatchPlan? {
        guard readerKey != viewer.readerKey else { return nil }
        let shown: [WatchTopic] =
            [.list(.block, viewer.scope)] + (clubKey.map { [.list(.member, .club(key: $0))] } ?? [])
        return .view(of: parts + shown, club: clubKey, isFullyLogged: false)
    }
}
