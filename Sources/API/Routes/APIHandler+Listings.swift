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
        let now = Instant.now
        return try commit(
            AskToJoin(id: ResourceID(madeAt: now), club: id, draft: draft, viewer: viewer, now: now), request, viewer,
            &response, location: "/v1/requests")
    }

    func deleteOwnRequest(
        _ id: ResourceID, _ request: borrowing Request, _ viewer: Viewer, _ response: inout ResponseWriter
    ) throws(LecternError) -> Disposition {
        try commit(DeleteJoinRequest(id: id, viewer: viewer), request, viewer, &response)
    }

    func patchJoinRequest(
        _ id: ResourceID, _ joinRequest: ResourceID, _ request: borrowing Request, _ viewer: Viewer,
        _ response: inout ResponseWriter
    ) throws(LecternError) -> Disposition {
        let patch = try JoinRequestPatch(Body.json(request, mergePatch: true))
        let precondition = Precondition(request, epoch: epoch)
        return try commit(
            AnswerJoinRequest(
                id: joinRequest, club: id, patch: patch, precondition: precondition, viewer: viewer, now: .now),
            request, viewer, &response)
    }
}
