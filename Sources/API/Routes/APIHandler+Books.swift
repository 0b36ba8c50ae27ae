import HTTPServer
import JSON
import Model
import ObservableModels
import Store

extension APIHandler {
    func listBooks(_ request: borrowing Request, _ viewer: Viewer, _ response: inout ResponseWriter)
        throws(LecternError) -> Disposition
    {
        let isWatched = watches(request)
        if !isWatched, let known = pages[request.query] {
            try requireJSON(request)
            return answer(known, request, &response)
        }
        let query = try Query(request, known: Query.ofBooks + Query.ofStreams)
        let filter = try query.bookFilter()
        let (order, descending) = try query.bookOrder()
        let limit = try query.limit()
        _ = try query.fields(of: .book)
        let cursor = query.text("cursor")
        let page = { () throws(LecternError) in
            try self.encoded(
                self.reads.books(
                    filter, order: order, descending: descending, after: cursor, limit: limit,
                    known: self.known(as: .book)),
                scope: .everyone, seq: self.reads.lastSeq(of: .everyone))
        }
        guard isWatched else {
            try requireJSON(request)
            let sent = try self.page(try read(page), request)
            pages[request.query] = sent
            return answer(sent, request, &response)
        }
        let watch = Watch(
            topics: [.list(.book, .everyone)], kind: .book,
            filter: filter == BookFilter() ? .all : .books(filter))
        return try stream(watch, query, viewer, request, &response, snapshot: page)
    }

    func getBook(_ id: ResourceID, _ request: borrowing Request, _ viewer: Viewer, _ response: inout ResponseWriter)
        throws(LecternError) -> Disposition
    {
        try get(Book.self, id, .everyone, request, viewer, &response) { [reads] () throws(LecternError) in
            try reads.book(id)
        }
    }

    func createBook(_ request: borrowing Request, _ viewer: Viewer, _ response: inout ResponseWriter)
        throws(LecternError) -> Disposition
    {
        let patch = try BookPatch(Body.json(request), form: .whole)
        let now = Instant.now
        return try commit(
            CreateBook(id: ResourceID(madeAt: now), patch: patch, viewer: viewer, now: now), request, viewer, &response)
    }

    func putBook(_ id: ResourceID, _ request: borrowing Request, _ viewer: Viewer, _ response: inout ResponseWriter)
        throws(LecternError) -> Disposition
    {
        let patch = try BookPatch(Body.json(request), form: .whole)
        let precondition = Precondition(request, epoch: epoch)
        return try commit(
            ReplaceBook(id: id, patch: patch, precondition: precondition, viewer: viewer, now: .now), request, viewer,
            &response)
    }

    func patchBook(_ id: ResourceID, _ request: borrowing Request, _ viewer: Viewer, _ response: inout ResponseWriter)
        throws(LecternError) -> Disposition
    {
        let patch = try BookPatch(Body.json(request, mergePatch: true), form: .patch)
        let precondition = Precondition(request, epoch: epoch)
        return try commit(
            PatchBook(id: id, patch: patch, precondition: precondition, viewer: viewer, now: .now), request, viewer,
            &response)
    }

    func deleteBook(_ id: ResourceID, _ request: borrowing Request, _ viewer: Viewer, _ response: inout ResponseWriter)
        throws(LecternError) -> Disposition
    {
        let precondition = Precondition(request, epoch: epoch)
        return try commit(
            DeleteBook(id: id, precondition: precondition, viewer: viewer, now: .now), request, viewer, &response)
    }
}
