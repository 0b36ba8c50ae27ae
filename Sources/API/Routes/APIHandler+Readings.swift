import HTTPServer
import Model
import ObservableModels
import Store

extension APIHandler {
    func createReading(_ request: borrowing Request, _ viewer: Viewer, _ response: inout ResponseWriter)
        throws(LecternError) -> Disposition
    {
        let draft = try ReadingDraft(Body.json(request))
        let now = Instant.now
        return try commit(
            StartReading(id: ResourceID(madeAt: now), draft: draft, viewer: viewer, now: now), request, viewer,
            &response)
    }

    func patchReading(
        _ id: ResourceID, _ request: borrowing Request, _ viewer: Viewer, _ response: inout ResponseWriter
    ) throws(LecternError) -> Disposition {
        let patch = try ReadingPatch(Body.json(request, mergePatch: true))
        let precondition = Precondition(request, epoch: epoch)
        return try commit(
            PatchReading(id: id, patch: patch, precondition: precondition, viewer: viewer, now: .now), request, viewer,
            &response)
    }

    func deleteReading(
        _ id: ResourceID, _ request: borrowing Request, _ viewer: Viewer, _ response: inout ResponseWriter
    ) throws(LecternError) -> Disposition {
        let precondition = Precondition(request, epoch: epoch)
        return try commit(
            DeleteReading(id: id, precondition: precondition, viewer: viewer, now: .now), request, viewer, &response)
    }

}
