import HTTPServer
import Model
import ObservableModels
import Store

/// The routes of a club's meetings, their notes and attendances.
extension Route {
    static let meetings: [Route] = [
        Route(.get, "/v1/clubs/{id}/meetings", "listMeetings", parameters: paged("hasBegun", "run")) {
            call throws(RequestError) in
            let (club, haveBegun) = (try call.club(.see), try call.query.bool("hasBegun"))
            let run = try call.run(of: club)
            return try call.list(
                ReadConnection.meetings, in: club.scope, where: .having("hasBegun", haveBegun).having("run", run),
                whole: run.map { .resource(.run, $0) })
        },
        Route(.get, "/v1/clubs/{id}/meetings/{meetingId}", "getMeeting") { call throws(RequestError) in
            let (club, id) = (try call.club(.see), try call.id(1))
            return try call.one(id, of: club.key) { reads throws(RequestError) in try reads.meeting(id, of: club) }
        },
        Route(
            .get, "/v1/clubs/{id}/meetings/{meetingId}/notes", "getMeetingNotes", watching: .whole
        ) { call throws(RequestError) in try notes(of: call.text(1) == "next" ? nil : call.id(1), call) },
        Route(
            .get, "/v1/clubs/{id}/meetings/{meetingId}/attendances", "listAttendances", parameters: paged()
        ) { call throws(RequestError) in
            let (club, id) = (try call.club(.see), try call.id(1))
            _ = try call.reads.meeting(id, of: club)
            return try call.list(
                ReadConnection.attendances, in: club.scope, where: .having("meeting", id),
                whole: .resource(.meeting, id))
        },
        Route(.get, "/v1/clubs/{id}/meetings/{meetingId}/attendance", "getAttendance") { call throws(RequestError) in
            let (clubID, id, reader) = (try call.id(0), try call.id(1), call.viewer.readerKey)
            guard let (club, member) = try call.reads.club(clubID, of: reader) else { throw .notFound }
            let meeting = try call.reads.meeting(id, of: club)
            guard let own = try call.reads.attendance(of: member, at: meeting) else { throw .notFound }
            return try call.one(own.id, of: club.key, whole: .resource(.meeting, id)) { reads throws(RequestError) in
                try reads.attendance(of: member, at: meeting)
            }
        },
        writing(.patch, "/v1/clubs/{id}/meetings/{meetingId}", "updateMeeting") {
            .updateMeeting($0[1], of: $0[0], $1)
        },
        deleting("/v1/clubs/{id}/meetings/{meetingId}", "deleteMeeting") { .deleteMeeting($0[1], of: $0[0]) },
        Route(.put, "/v1/clubs/{id}/meetings/{meetingId}/attendance", "putAttendance", inBatches: true) {
            call throws(RequestError) in
            .commit(.putAttendance(try call.id(1), of: try call.id(0), try MeetingAttendanceDraft(call.json()).answer))
        },
    ]

    static let meetingCreation: [Route] = creating(
        .meeting, "/v1/clubs/{id}/meetings", "createMeeting", "/v1/clubs/{id}/meetings/{meetingId}", "putMeeting"
    ) { .createMeeting(of: $0[0], $1) }

    /// Returns the notes to discuss at a meeting, or at the next one if none is named. The notes are grouped by thread,
    /// as JSON or Markdown.
    private static func notes(of meeting: ResourceID?, _ call: borrowing RouteCall) throws(RequestError) -> RouteReply {
        let (club, viewer, reads) = (try call.club(.see), call.viewer, call.reads)
        let notes = { () throws(RequestError) in
            try MeetingNotes(reads.meeting(meeting, of: club), club, viewer, reads)
        }
        if call.isWatched {
            let parts: [WatchTopic] = [
                meeting.map { .resource(.meeting, $0) } ?? .list(.meeting, club.scope), .list(.note, club.scope),
                .list(.note, .club(key: club.key, only: viewer.readerKey)),
            ]
            let watch = WatchPlan.view(of: parts, club: club.key, whole: meeting.map { .resource(.meeting, $0) })
            return .list(watch) { () throws(RequestError) in EncodedListPage(body: try notes().encoded()) }
        }
        let asText = MediaType.quality("text/markdown", call.request)
        let asJSON = MediaType.quality("application/json", call.request)
        guard max(asText, asJSON) > 0 else {
            throw .refused(.notAcceptable, "The server can send application/json and text/markdown.")
        }
        let found = try reads.read(notes)
        return .document(
            asText > asJSON
                ? .own(found.markdown(), "text/markdown; charset=utf-8")
                : .own(found.encoded()))
    }
}
