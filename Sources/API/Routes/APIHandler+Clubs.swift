import HTTPServer
import Model
import ObservableModels
import Store

extension APIHandler {
    func createClub(_ request: borrowing Request, _ viewer: Viewer, _ response: inout ResponseWriter)
        throws(LecternError) -> Disposition
    {
        let patch = try ClubPatch(Body.json(request), form: .whole)
        let now = Instant.now
        return try commit(
            CreateClub(id: ResourceID(madeAt: now), patch: patch, viewer: viewer, now: now), request, viewer, &response)
    }

    func patchClub(_ id: ResourceID, _ request: borrowing Request, _ viewer: Viewer, _ response: inout ResponseWriter)
        throws(LecternError) -> Disposition
    {
        let patch = try ClubPatch(Body.json(request, mergePatch: true), form: .patch)
        let precondition = Precondition(request, epoch: epoch)
        return try commit(
            PatchClub(id: id, patch: patch, precondition: precondition, viewer: viewer, now: .now), request, viewer,
            &response)
    }

    func deleteClub(_ id: ResourceID, _ request: borrowing Request, _ viewer: Viewer, _ response: inout ResponseWriter)
        throws(LecternError) -> Disposition
    {
        let precondition = Precondition(request, epoch: epoch)
        return try commit(
            DeleteClub(id: id, precondition: precondition, viewer: viewer), request, viewer, &response)
    }
}
