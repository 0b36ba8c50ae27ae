import HTTPServer
import JSON
import Model
import ObservableModels
import Store

extension APIHandler {
    func createNote(_ request: borrowing Request, _ viewer: Viewer, _ response: inout ResponseWriter)
        throws(LecternError) -> Disposition
    {
        let draft = try NoteDraft(Body.json(request))
        let now = Instant.now
        return try commit(
            WriteNote(id: ResourceID(madeAt: now), draft: draft, viewer: viewer, now: now), request, viewer, &response)
    }

    func createReply(_ id: ResourceID, _ request: borrowing Request, _ viewer: Viewer, _ response: inout ResponseWriter)
        throws(LecternError) -> Disposition
    {
        let body = try NoteBody(Body.json(request), form: .whole).text ?? ""
        let now = Instant.now
        return try commit(
            WriteReply(id: ResourceID(madeAt: now), to: id, body: body, viewer: viewer, now: now), request, viewer,
            &response, location: "/v1/notes")
    }

    func patchNote(_ id: ResourceID, _ request: borrowing Request, _ viewer: Viewer, _ response: inout ResponseWriter)
        throws(LecternError) -> Disposition
    {
        let body = try NoteBody(Body.json(request, mergePatch: true), form: .patch).text
        let precondition = Precondition(request, epoch: epoch)
        return try commit(
            PatchNote(id: id, body: body, precondition: precondition, viewer: viewer), request, viewer, &response)
    }

    func deleteNote(_ id: ResourceID, _ request: borrowing Request, _ viewer: Viewer, _ response: inout ResponseWriter)
        throws(LecternError) -> Disposition
    {
        let precondition = Precondition(request, epoch: epoch)
        return try commit(
            DeleteNote(id: id, precondition: precondition, viewer: viewer), request, viewer, &response)
    }
}
