import HTTPServer
import Model
import ObservableModels
import Store

/// The routes of notes on books, private or in a club.
extension Route {
    static let notes: [Route] = [
        Route(
            .get, "/v1/clubs/{id}/notes", "listClubNotes",
            parameters: paged("book", "run", "thread", "about", "kind", "q", "sort", "include")
        ) {
            call throws(RequestError) in
            var read = try NoteFilter(call.query)
            read.demand("about", try call.query.id("about"))
            let (club, viewer) = (try call.club(.see), call.viewer)
            read.run = try call.run(ofNotesIn: club, orOf: read.book)
            let filter = read
            let bestFirst = try call.query.bestFirst(filter.search, orElse: "-createdAt")
            let (reads, scopes) = (call.reads, [club.scope, .club(key: club.key, only: viewer.readerKey)])
            let count = WatchPlan.AdditionalCount(
                name: "ahead",
                topics: [.resource(.club, club.id), .list(.block, viewer.scope), .list(.run, club.scope)]
            ) { () throws(RequestError) in
                // The club's setting for counts may have changed since.
                guard try reads.club(club.id, of: viewer.readerKey)?.club.countsAhead ?? false else { return nil }
                return try reads.notesAhead(of: viewer.readerKey, in: club.key, book: filter.book, run: filter.run)
            }
            return try call.list(
                in: club.scope, watch: try call.best(bestFirst, of: .note, in: scopes), scopes: scopes,
                filter: filter == NoteFilter() ? .all : .notes(filter), order: .newestFirst,
                whole: filter.run.map { .resource(.run, $0) }, count: count, encode: try call.encodingOpened()
            ) { reads, paging throws(RequestError) in
                try reads.notes(
                    of: club.key, seenBy: viewer.readerKey, filter, bestFirst: bestFirst, after: paging.cursor,
                    limit: paging.limit)
            }
        },
        Route(
            .get, "/v1/notes", "listNotes", parameters: paged("book", "club", "thread", "kind", "q", "sort", "include"),
            watching: .whole
        ) {
            call throws(RequestError) in
            var own = try NoteFilter(call.query)
            own.club = try call.query.id("club")
            let (filter, viewer) = (own, call.viewer)
            let bestFirst = try call.query.bestFirst(filter.search, orElse: "-createdAt")
            let topics: [WatchTopic] = [.list(.note, viewer.scope), .list(.membership, viewer.scope)]
            let watch = WatchPlan.view(of: topics) { club, _, _ in [.list(.note, .club(key: club))] }
            return try call.list(in: viewer.scope, watch: watch, encode: try call.encodingOpened()) {
                reads, paging throws(RequestError) in
                try reads.notes(
                    of: nil, seenBy: viewer.readerKey, filter, bestFirst: bestFirst, after: paging.cursor,
                    limit: paging.limit)
            }
        },
        Route(.get, "/v1/notes/{id}", "getNote", parameters: ["include"]) { call throws(RequestError) in
            try call.one(note: call.id(0))
        },
        writing(.patch, "/v1/notes/{id}", "updateNote") { .updateNote($0[0], $1) },
        deleting("/v1/notes/{id}", "deleteNote") { .deleteNote($0[0]) },
    ]

    static let noteCreation: [Route] = creating(.note, "/v1/notes", "createNote", "/v1/notes/{id}", "putNote") {
        .createNote($1)
    }
}

extension NoteFilter {
    /// Creates the filter that a query describes.
    init(_ query: RequestQuery) throws(RequestError) {
        self.init()
        book = try query.id("book")
        demand("kind", try query.choice("kind") as NoteKind?)
        isOfRoots = query.text("thread") == "roots"
        if !isOfRoots { thread = try query.id("thread", "must be roots, or a UUID") }
        search = try query.search("q")
    }
}
