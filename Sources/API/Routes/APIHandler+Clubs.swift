import HTTPServer
import Model
import ObservableModels
import Store

extension APIHandler {
    func createClub(_ request: borrowing Request, _ viewer: Viewer, _ response: inout ResponseWriter)
        throws(LecternError) -> Disposition
    {
        let patch = try ClubPatch(Body.json(request), form: .whole)
        return try commit(.createClub(patch), request, viewer, &response)
    }

    func patchClub(_ id: ResourceID, _ request: borrowing Request, _ viewer: Viewer, _ response: inout ResponseWriter)
        throws(LecternError) -> Disposition
    {
        let patch = try ClubPatch(Body.json(request, mergePatch: true), form: .patch)
        return try commit(.patchClub(id, patch), request, viewer, &response)
    }

    func deleteClub(_ id: ResourceID, _ request: borrowing Request, _ viewer: Viewer, _ response: inout ResponseWriter)
        throws(LecternError) -> Disposition
    {
        return try commit(.deleteClub(id), request, viewer, &response)
    }
}
