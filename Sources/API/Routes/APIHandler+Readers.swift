import HTTPServer
import Model
import Store

extension APIHandler {
    func createReader(_ request: borrowing Request, _ viewer: Viewer, _ response: inout ResponseWriter)
        throws(LecternError) -> Disposition
    {
        let patch = try ReaderPatch(Body.json(request), form: .whole, roleMayChange: true)
        return try commit(.createReader(patch), request, viewer, &response)
    }

    func patchReader(_ id: ResourceID, _ request: borrowing Request, _ viewer: Viewer, _ response: inout ResponseWriter)
        throws(LecternError) -> Disposition
    {
        let patch = try ReaderPatch(
            Body.json(request, mergePatch: true), form: .patch, roleMayChange: viewer.role == .administrator)
        return try commit(.patchReader(id, patch), request, viewer, &response)
    }
}
