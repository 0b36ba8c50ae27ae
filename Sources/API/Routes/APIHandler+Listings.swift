import HTTPServer
import Model
import ObservableModels
import Store

/// Clubs that can be found, and who asks them to be let in.
extension APIHandler {
    func createJoinRequest(
        _ id: ResourceID, _ request: borrowing Request, _ viewer: Viewer, _ response: inout ResponseWriter
    ) throws(LecternError) -> Disposition {
        let draft = try JoinRequestDraft(Body.json(request))
        return try commit(.askToJoin(id, draft), request, viewer, &response, location: "/v1/requests")
    }

    func deleteOwnRequest(
        _ id: ResourceID, _ request: borrowing Request, _ viewer: Viewer, _ response: inout ResponseWriter
    ) throws(LecternError) -> Disposition {
        try commit(.deleteJoinRequest(id), request, viewer, &response)
    }

    func patchJoinRequest(
        _ id: ResourceID, _ joinRequest: ResourceID, _ request: borrowing Request, _ viewer: Viewer,
        _ response: inout ResponseWriter
    ) throws(LecternError) -> Disposition {
        let patch = try JoinRequestPatch(Body.json(request, mergePatch: true))
        return try commit(.answerJoinRequest(joinRequest, of: id, patch), request, viewer, &response)
    }
}
