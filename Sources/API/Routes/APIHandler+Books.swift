import HTTPServer
import JSON
import Model
import ObservableModels
import Store

extension APIHandler {
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
