import HTTPServer
import Model
import Store

extension APIHandler {
    func createEntry(_ id: ResourceID, _ request: borrowing Request, _ viewer: Viewer, _ response: inout ResponseWriter)
        throws(LecternError) -> Disposition
    {
        let now = Instant.now
        let draft = try EntryDraft(Body.json(request), now: now)
        return try commit(
            RecordEntry(id: ResourceID(madeAt: now), reading: id, draft: draft, viewer: viewer, now: now), request,
            viewer, &response)
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
