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
        return try commit(.createBook(patch), request, viewer, &response)
    }

    func putBook(_ id: ResourceID, _ request: borrowing Request, _ viewer: Viewer, _ response: inout ResponseWriter)
        throws(LecternError) -> Disposition
    {
        let patch = try BookPatch(Body.json(request), form: .whole)
        return try commit(.replaceBook(id, patch), request, viewer, &response)
    }

    func patchBook(_ id: ResourceID, _ request: borrowing Request, _ viewer: Viewer, _ response: inout ResponseWriter)
        throws(LecternError) -> Disposition
    {
        let patch = try BookPatch(Body.json(request, mergePatch: true), form: .patch)
        return try commit(.patchBook(id, patch), request, viewer, &response)
    }

    func deleteBook(_ id: ResourceID, _ request: borrowing Request, _ viewer: Viewer, _ response: inout ResponseWriter)
        throws(LecternError) -> Disposition
    {
        return try commit(.deleteBook(id), request, viewer, &response)
    }
}
