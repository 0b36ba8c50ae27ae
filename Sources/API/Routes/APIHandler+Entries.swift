import HTTPServer
import Model
import Store

extension APIHandler {
    func createEntry(_ id: ResourceID, _ request: borrowing Request, _ viewer: Viewer, _ response: inout ResponseWriter)
        throws(LecternError) -> Disposition
    {
        let now = Instant.now
        let draft = try EntryDraft(Body.json(request), now: now)
        return try commit(.recordEntry(of: id, draft), request, viewer, &response)
    }

    func deleteEntry(
        _ id: ResourceID, _ entry: ResourceID, _ request: borrowing Request, _ viewer: Viewer,
        _ response: inout ResponseWriter
    ) throws(LecternError) -> Disposition {
        return try commit(.deleteEntry(entry, of: id), request, viewer, &response)
    }
}
