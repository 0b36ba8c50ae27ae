import HTTPServer
import Model
import ObservableModels
import Store

extension APIHandler {
    func createReading(_ request: borrowing Request, _ viewer: Viewer, _ response: inout ResponseWriter)
        throws(LecternError) -> Disposition
    {
        let draft = try ReadingDraft(Body.json(request))
        return try commit(.startReading(draft), request, viewer, &response)
    }

    func patchReading(
        _ id: ResourceID, _ request: borrowing Request, _ viewer: Viewer, _ response: inout ResponseWriter
    ) throws(LecternError) -> Disposition {
        let patch = try ReadingPatch(Body.json(request, mergePatch: true))
        return try commit(.patchReading(id, patch), request, viewer, &response)
    }

    func deleteReading(
        _ id: ResourceID, _ request: borrowing Request, _ viewer: Viewer, _ response: inout ResponseWriter
    ) throws(LecternError) -> Disposition {
        return try commit(.deleteReading(id), request, viewer, &response)
    }

}
