import HTTPServer
import Model
import Store

extension APIHandler {
    func listEntries(_ id: ResourceID, _ request: borrowing Request, _ viewer: Viewer, _ response: inout ResponseWriter)
        throws(LecternError) -> Disposition
    {
        let query = try Query(request, known: ["limit", "cursor"])
        let limit = try query.limit()
        return try answer(
            list: { () throws(LecternError) in
                guard let reading = try self.reading(id, viewer) else { throw .notFound }
                return try self.encoded(
                    self.reads.entries(
                        of: reading.key, after: query.text("cursor"), limit: limit, known: self.known(as: .entry)),
                    scope: viewer.scope, seq: self.reads.lastSeq(of: viewer.scope))
            }, request, &response)
    }

    func createEntry(_ id: ResourceID, _ request: borrowing Request, _ viewer: Viewer, _ response: inout ResponseWriter)
        throws(LecternError) -> Disposition
    {
        let now = Instant.now
        let draft = try EntryDraft(Body.json(request), now: now)
        return try commit(
            RecordEntry(id: ResourceID(madeAt: now), reading: id, draft: draft, viewer: viewer, now: now), request,
            viewer, &response)
    }

    func getEntry(
        _ id: ResourceID, _ entry: ResourceID, _ request: borrowing Request, _ viewer: Viewer,
        _ response: inout ResponseWriter
    ) throws(LecternError) -> Disposition {
        _ = try Query(request, known: [])
        try requireJSON(request)
        let found = try read { () throws(LecternError) -> Entry in
            guard let reading = try self.reading(id, viewer), let found = try self.reads.entry(entry),
                found.readingKey == reading.key
            else { throw .notFound }
            return found
        }
        return answer(representation: found.encoded(), version: found.version, request, &response)
    }

    func deleteEntry(
        _ id: ResourceID, _ entry: ResourceID, _ request: borrowing Request, _ viewer: Viewer,
        _ response: inout ResponseWriter
    ) throws(LecternError) -> Disposition {
        let precondition = Precondition(request, epoch: epoch)
        return try commit(
            DeleteEntry(id: entry, reading: id, precondition: precondition, viewer: viewer, now: .now), request, viewer,
            &response)
    }
}
