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
        return try commit(.writeNote(draft), request, viewer, &response)
    }

    func createReply(_ id: ResourceID, _ request: borrowing Request, _ viewer: Viewer, _ response: inout ResponseWriter)
        throws(LecternError) -> Disposition
    {
        let body = try NoteBody(Body.json(request), form: .whole).text ?? ""
        return try commit(.writeReply(to: id, body), request, viewer, &response, location: "/v1/notes")
    }

    func patchNote(_ id: ResourceID, _ request: borrowing Request, _ viewer: Viewer, _ response: inout ResponseWriter)
        throws(LecternError) -> Disposition
    {
        let body = try NoteBody(Body.json(request, mergePatch: true), form: .patch).text
        return try commit(.patchNote(id, body: body), request, viewer, &response)
    }

    func deleteNote(_ id: ResourceID, _ request: borrowing Request, _ viewer: Viewer, _ response: inout ResponseWriter)
        throws(LecternError) -> Disposition
    {
        return try commit(.deleteNote(id), request, viewer, &response)
    }
}
