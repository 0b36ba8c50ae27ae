import HTTPServer
import JSON
import Model
import ObservableModels
import Store

extension APIHandler {
    func createMeeting(
        _ id: ResourceID, _ request: borrowing Request, _ viewer: Viewer, _ response: inout ResponseWriter
    ) throws(LecternError) -> Disposition {
        let patch = try MeetingPatch(Body.json(request), form: .whole)
        let now = Instant.now
        return try commit(
            CallMeeting(id: ResourceID(madeAt: now), club: id, patch: patch, viewer: viewer, now: now), request,
            viewer, &response)
    }

    func patchMeeting(
        _ id: ResourceID, _ meeting: ResourceID, _ request: borrowing Request, _ viewer: Viewer,
        _ response: inout ResponseWriter
    ) throws(LecternError) -> Disposition {
        let patch = try MeetingPatch(Body.json(request, mergePatch: true), form: .patch)
        let precondition = Precondition(request, epoch: epoch)
        return try commit(
            PatchMeeting(id: meeting, club: id, patch: patch, precondition: precondition, viewer: viewer, now: .now),
            request, viewer, &response)
    }

    func deleteMeeting(
        _ id: ResourceID, _ meeting: ResourceID, _ request: borrowing Request, _ viewer: Viewer,
        _ response: inout ResponseWriter
    ) throws(LecternError) -> Disposition {
        let precondition = Precondition(request, epoch: epoch)
        return try commit(
            DeleteMeeting(id: meeting, club: id, precondition: precondition, viewer: viewer), request, viewer,
            &response)
    }

    func putAttendance(
        _ id: ResourceID, _ meeting: ResourceID, _ request: borrowing Request, _ viewer: Viewer,
        _ response: inout ResponseWriter
    ) throws(LecternError) -> Disposition {
        let draft = try AttendanceDraft(Body.json(request))
        let now = Instant.now
        return try commit(
            AnswerMeeting(
                id: ResourceID(madeAt: now), meeting: meeting, club: id, answer: draft.answer, viewer: viewer, now: now
            ), request, viewer, &response, location: "")
    }

}
