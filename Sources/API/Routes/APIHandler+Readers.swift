import HTTPServer
import Model
import Store

extension APIHandler {
    func createReader(_ request: borrowing Request, _ viewer: Viewer, _ response: inout ResponseWriter)
        throws(LecternError) -> Disposition
    {
        let patch = try ReaderPatch(Body.json(request), form: .whole, roleMayChange: true)
        let now = Instant.now
        return try commit(
            CreateReader(id: ResourceID(madeAt: now), patch: patch, viewer: viewer, now: now), request, viewer,
            &response)
    }

    func patchReader(_ id: ResourceID, _ request: borrowing Request, _ viewer: Viewer, _ response: inout ResponseWriter)
        throws(LecternError) -> Disposition
    {
        let patch = try ReaderPatch(
            Body.json(request, mergePatch: true), form: .patch, roleMayChange: viewer.role == .administrator)
        let precondition = Precondition(request, epoch: epoch)
        return try commit(
            PatchReader(id: id, patch: patch, precondition: precondition, viewer: viewer, now: .now), request, viewer,
            &response)
    }
}
