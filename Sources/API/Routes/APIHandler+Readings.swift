import HTTPServer
import Model
import ObservableModels
import Store

extension APIHandler {
    func listReadings(_ request: borrowing Request, _ viewer: Viewer, _ response: inout ResponseWriter)
        throws(LecternError) -> Disposition
    {
        let query = try Query(request, known: Query.ofReadings + Query.ofStreams)
        let filter = ReadingFilter(state: try query.choice("state"), book: try query.id("book"))
        let limit = try query.limit()
        _ = try query.fields(of: .reading)
        let page = { () throws(LecternError) in
            try self.encoded(
                self.reads.readings(
                    of: viewer.readerKey, filter, after: query.text("cursor"), limit: limit,
                    known: self.known(as: .reading)),
                scope: viewer.scope, seq: self.reads.lastSeq(of: viewer.scope))
        }
        guard watches(request) else { return try answer(list: page, request, &response) }
        let watch = Watch(topics: [.list(.reading, viewer.scope)], kind: .reading, filter: .readings(filter))
        return try stream(watch, query, viewer, request, &response, snapshot: page)
    }

    func getReading(_ id: ResourceID, _ request: borrowing Request, _ viewer: Viewer, _ response: inout ResponseWriter)
        throws(LecternError) -> Disposition
    {
        try get(Reading.self, id, viewer.scope, request, viewer, &response) { () throws(LecternError) in
            try self.reading(id, viewer)
        }
    }

    func createReading(_ request: borrowing Request, _ viewer: Viewer, _ response: inout ResponseWriter)
        throws(LecternError) -> Disposition
    {
        let draft = try ReadingDraft(Body.json(request))
        let now = Instant.now
        return try commit(
            StartReading(id: ResourceID(madeAt: now), draft: draft, viewer: viewer, now: now), request, viewer,
            &response)
    }

    func patchReading(
        _ id: ResourceID, _ request: borrowing Request, _ viewer: Viewer, _ response: inout ResponseWriter
    ) throws(LecternError) -> Disposition {
        let patch = try ReadingPatch(Body.json(request, mergePatch: true))
        let precondition = Precondition(request, epoch: epoch)
        return try commit(
            PatchReading(id: id, patch: patch, precondition: precondition, viewer: viewer, now: .now), request, viewer,
            &response)
    }

    func deleteReading(
        _ id: ResourceID, _ request: borrowing Request, _ viewer: Viewer, _ response: inout ResponseWriter
    ) throws(LecternError) -> Disposition {
        let precondition = Precondition(request, epoch: epoch)
        return try commit(
            DeleteReading(id: id, precondition: precondition, viewer: viewer, now: .now), request, viewer, &response)
    }

    /// A reading of the viewer's own; nil for everybody else's.
    func reading(_ id: ResourceID, _ viewer: Viewer) throws(LecternError) -> Reading? {
        guard let reading = try reads.reading(id), reading.readerKey == viewer.readerKey else { return nil }
        return reading
    }
}
