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
        return try commit(.callMeeting(of: id, patch), request, viewer, &response)
    }

    func patchMeeting(
        _ id: ResourceID, _ meeting: ResourceID, _ request: borrowing Request, _ viewer: Viewer,
        _ response: inout ResponseWriter
    ) throws(LecternError) -> Disposition {
        let patch = try MeetingPatch(Body.json(request, mergePatch: true), form: .patch)
        return try commit(.patchMeeting(meeting, of: id, patch), request, viewer, &response)
    }

    func deleteMeeting(
        _ id: ResourceID, _ meeting: ResourceID, _ request: borrowing Request, _ viewer: Viewer,
        _ response: inout ResponseWriter
    ) throws(LecternError) -> Disposition {
        return try commit(.deleteMeeting(meeting, of: id), request, viewer, &response)
    }

    func putAttendance(
        _ id: ResourceID, _ meeting: ResourceID, _ request: borrowing Request, _ viewer: Viewer,
        _ response: inout ResponseWriter
    ) throws(LecternError) -> Disposition {
        let draft = try AttendanceDraft(Body.json(request))
        return try commit(.answerMeeting(meeting, of: id, draft.answer), request, viewer, &response, location: "")
    }

}
