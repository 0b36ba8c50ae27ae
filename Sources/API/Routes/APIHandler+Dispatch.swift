import HTTPServer
import Model

/// The way from a route to its handler.
extension APIHandler {
    func handle(
        _ request: borrowing Request, _ route: FormerRoute, _ captures: Captures, _ viewer: Viewer,
        _ response: inout ResponseWriter
    ) throws(LecternError) -> Disposition {
        let id = try id(0, captures, request)
        switch route {
        case .patchMe: return try patchReader(viewer.reader, request, viewer, &response)
        case .createReader: return try createReader(request, viewer, &response)
        case .patchReader: return try patchReader(id, request, viewer, &response)
        case .createToken: return try createToken(request, viewer, &response)
        case .deleteToken: return try deleteToken(id, request, viewer, &response)
        case .createBook: return try createBook(request, viewer, &response)
        case .putBook: return try putBook(id, request, viewer, &response)
        case .patchBook: return try patchBook(id, request, viewer, &response)
        case .deleteBook: return try deleteBook(id, request, viewer, &response)
        case .createReading: return try createReading(request, viewer, &response)
        case .patchReading: return try patchReading(id, request, viewer, &response)
        case .deleteReading: return try deleteReading(id, request, viewer, &response)
        case .createEntry: return try createEntry(id, request, viewer, &response)
        case .deleteEntry: return try deleteEntry(id, self.id(1, captures, request), request, viewer, &response)
        case .createClub: return try createClub(request, viewer, &response)
        case .patchClub: return try patchClub(id, request, viewer, &response)
        case .deleteClub: return try deleteClub(id, request, viewer, &response)
        case .createMembership: return try createMembership(request, viewer, &response)
        case .patchMember: return try patchMember(id, self.id(1, captures, request), request, viewer, &response)
        case .deleteMember: return try deleteMember(id, self.id(1, captures, request), request, viewer, &response)
        case .createInvitation: return try createInvitation(id, request, viewer, &response)
        case .deleteInvitation:
            return try deleteInvitation(id, self.id(1, captures, request), request, viewer, &response)
        case .deleteRemoval: return try deleteRemoval(id, self.id(1, captures, request), request, viewer, &response)
        case .putClubBook: return try putClubBook(id, self.id(1, captures, request), request, viewer, &response)
        case .patchClubBook: return try patchClubBook(id, self.id(1, captures, request), request, viewer, &response)
        case .deleteClubBook: return try deleteClubBook(id, self.id(1, captures, request), request, viewer, &response)
        case .createMilestone: return try createMilestone(id, request, viewer, &response)
        case .patchMilestone: return try patchMilestone(id, self.id(1, captures, request), request, viewer, &response)
        case .deleteMilestone: return try deleteMilestone(id, self.id(1, captures, request), request, viewer, &response)
        case .createStanding: return try createStanding(id, request, viewer, &response)
        case .deleteStanding: return try deleteStanding(id, self.id(1, captures, request), request, viewer, &response)
        case .createMeeting: return try createMeeting(id, request, viewer, &response)
        case .patchMeeting: return try patchMeeting(id, self.id(1, captures, request), request, viewer, &response)
        case .deleteMeeting: return try deleteMeeting(id, self.id(1, captures, request), request, viewer, &response)
        case .putAttendance: return try putAttendance(id, self.id(1, captures, request), request, viewer, &response)
        case .createCalendar: return try createCalendar(id, request, viewer, &response)
        case .deleteCalendar: return try deleteCalendar(id, self.id(1, captures, request), request, viewer, &response)
        case .putReaction: return try putReaction(id, captures, isThere: true, request, viewer, &response)
        case .deleteReaction: return try putReaction(id, captures, isThere: false, request, viewer, &response)
        case .createJoinRequest: return try createJoinRequest(id, request, viewer, &response)
        case .deleteOwnRequest: return try deleteOwnRequest(id, request, viewer, &response)
        case .patchJoinRequest:
            return try patchJoinRequest(id, self.id(1, captures, request), request, viewer, &response)
        case .createNote: return try createNote(request, viewer, &response)
        case .patchNote: return try patchNote(id, request, viewer, &response)
        case .deleteNote: return try deleteNote(id, request, viewer, &response)
        case .createReply: return try createReply(id, request, viewer, &response)
        default: throw .notFound
        }
    }

    /// The id in a capture of the path; what is no UUID names nothing. Without a capture the result is not used.
    private func id(_ index: Int, _ captures: Captures, _ request: borrowing Request) throws(LecternError) -> ResourceID
    {
        guard index < captures.count else { return ResourceID(high: 0, low: 0) }
        guard let id = ResourceID(text: captures.bytes(index, in: request.path)) else { throw .notFound }
        return id
    }
}
