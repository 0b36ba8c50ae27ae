import HTTPServer
import JSON
import Model
import ObservableModels
import Store

extension APIHandler {
    func listMeetings(
        _ id: ResourceID, _ request: borrowing Request, _ viewer: Viewer, _ response: inout ResponseWriter
    ) throws(LecternError) -> Disposition {
        let query = try Query(request, known: ["hasBegun"] + Query.ofPages + Query.ofStreams)
        let limit = try query.limit()
        let haveBegun = try query.bool("hasBegun")
        let club = try club(id, viewer, .see)
        guard haveBegun == nil || !watches(request) else {
            throw query.refusal("hasBegun", "is not for streams; watch the club's meetings")
        }
        return try answer(list: Meeting.self, of: club, query, viewer, request, &response) { () throws(LecternError) in
            try self.reads.meetings(
                ofClub: club.key, haveBegun: haveBegun, after: query.text("cursor"), limit: limit)
        }
    }

    func createMeeting(
        _ id: ResourceID, _ request: borrowing Request, _ viewer: Viewer, _ response: inout ResponseWriter
    ) throws(LecternError) -> Disposition {
        let patch = try MeetingPatch(Body.json(request), form: .whole)
        let now = Instant.now
        return try commit(
            CallMeeting(id: ResourceID(madeAt: now), club: id, patch: patch, viewer: viewer, now: now), request,
            viewer, &response)
    }

    func getMeeting(
        _ id: ResourceID, _ meeting: ResourceID, _ request: borrowing Request, _ viewer: Viewer,
        _ response: inout ResponseWriter
    ) throws(LecternError) -> Disposition {
        let club = try club(id, viewer, .see)
        _ = try self.meeting(meeting, of: club)
        return try answer(one: Meeting.self, meeting, of: club.key, request, viewer, &response) {
            () throws(LecternError) in
            try self.meeting(meeting, of: club)
        }
    }

    /// A meeting of a club; without an id the next one.
    private func meeting(_ id: ResourceID?, of club: Club) throws(LecternError) -> Meeting {
        guard let meeting = try reads.meeting(id, ofClub: club.key) else { throw .notFound }
        return meeting
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

    func listAttendances(
        _ id: ResourceID, _ meeting: ResourceID, _ request: borrowing Request, _ viewer: Viewer,
        _ response: inout ResponseWriter
    ) throws(LecternError) -> Disposition {
        let query = try Query(request, known: Query.ofPages + Query.ofStreams)
        let limit = try query.limit()
        let club = try club(id, viewer, .see)
        let found = try self.meeting(meeting, of: club)
        return try answer(
            list: Attendance.self, of: club, filter: .having("meeting", meeting), whole: .resource(.meeting, meeting),
            query, viewer, request, &response
        ) { () throws(LecternError) in
            try self.reads.attendances(of: found, after: query.text("cursor"), limit: limit)
        }
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

    /// The notes to talk about at a meeting, or at the next one, thread by thread: as JSON, or as Markdown.
    func getMeetingNotes(
        _ id: ResourceID, _ meeting: ResourceID?, _ request: borrowing Request, _ viewer: Viewer,
        _ response: inout ResponseWriter
    ) throws(LecternError) -> Disposition {
        _ = try Query(request, known: [])
        let club = try club(id, viewer, .see)
        let asText = MediaType.quality("text/markdown", request)
        let asJSON = MediaType.quality("application/json", request)
        guard max(asText, asJSON) > 0 else { throw .notAcceptable(offered: "application/json and text/markdown") }
        let notes = try read { () throws(LecternError) in
            let found = try self.meeting(meeting, of: club)
            return try MeetingNotes(found, club, viewer, self.reads)
        }
        let body = asText > asJSON ? notes.markdown() : notes.encoded()
        return answer(
            body: body, tag: ETag.bytes(hashing: body),
            type: asText > asJSON ? "text/markdown; charset=utf-8" : "application/json", request, &response)
    }
}
