import HTTPServer
import Model

/// The way from a route to its handler.
extension APIHandler {
    /// Answers a request by its route, once it is known who asks and that they may come in by it.
    func handle(
        _ request: borrowing Request, _ route: Route, _ captures: Captures, _ response: inout ResponseWriter
    ) throws(LecternError) -> Disposition {
        if route == .getCalendar { return try getCalendar(captures, request, &response) }
        if route == .getProblem { return try getProblem(captures, request, &response) }
        if route.admission == .anyone { return try answer(open: route, request, &response) }
        let viewer = try viewer(of: request, for: route)
        // What a write does not know it must not pass over: `?dryRun=true` would write.
        let isWrite = request.method != .get && request.method != .head
        if isWrite, request.query.byteCount > 0 { _ = try Query(request, known: route.parametersOfWrite) }
        let id = try id(0, captures, request)
        switch route {
        case .root, .contract, .health, .getProblem, .getCalendar: return try answer(open: route, request, &response)
        case .metrics: return try getMetrics(request, &response)
        case .getMe: return try getReader(viewer.reader, request, viewer, &response)
        case .patchMe: return try patchReader(viewer.reader, request, viewer, &response)
        case .listReaders: return try listReaders(request, viewer, &response)
        case .createReader: return try createReader(request, viewer, &response)
        case .getReader: return try getReader(id, request, viewer, &response)
        case .patchReader: return try patchReader(id, request, viewer, &response)
        case .listTokens: return try listTokens(request, viewer, &response)
        case .createToken: return try createToken(request, viewer, &response)
        case .getToken: return try getToken(id, request, viewer, &response)
        case .deleteToken: return try deleteToken(id, request, viewer, &response)
        case .createTicket: return try createTicket(request, viewer, &response)
        case .listBooks: return try listBooks(request, viewer, &response)
        case .createBook: return try createBook(request, viewer, &response)
        case .getBook: return try getBook(id, request, viewer, &response)
        case .putBook: return try putBook(id, request, viewer, &response)
        case .patchBook: return try patchBook(id, request, viewer, &response)
        case .deleteBook: return try deleteBook(id, request, viewer, &response)
        case .listReadings: return try listReadings(request, viewer, &response)
        case .createReading: return try createReading(request, viewer, &response)
        case .getReading: return try getReading(id, request, viewer, &response)
        case .patchReading: return try patchReading(id, request, viewer, &response)
        case .deleteReading: return try deleteReading(id, request, viewer, &response)
        case .listEntries: return try listEntries(id, request, viewer, &response)
        case .createEntry: return try createEntry(id, request, viewer, &response)
        case .getEntry: return try getEntry(id, self.id(1, captures, request), request, viewer, &response)
        case .deleteEntry: return try deleteEntry(id, self.id(1, captures, request), request, viewer, &response)
        case .listCards: return try listCards(request, viewer, &response)
        case .getCard: return try getCard(id, request, viewer, &response)
        case .listChanges: return try listChanges(request, viewer, &response)
        case .listClubs: return try listClubs(request, viewer, &response)
        case .createClub: return try createClub(request, viewer, &response)
        case .getClub: return try getClub(id, request, viewer, &response)
        case .patchClub: return try patchClub(id, request, viewer, &response)
        case .deleteClub: return try deleteClub(id, request, viewer, &response)
        case .createMembership: return try createMembership(request, viewer, &response)
        case .listMembers: return try listMembers(id, request, viewer, &response)
        case .patchMember: return try patchMember(id, self.id(1, captures, request), request, viewer, &response)
        case .deleteMember: return try deleteMember(id, self.id(1, captures, request), request, viewer, &response)
        case .listInvitations: return try listInvitations(id, request, viewer, &response)
        case .createInvitation: return try createInvitation(id, request, viewer, &response)
        case .deleteInvitation:
            return try deleteInvitation(id, self.id(1, captures, request), request, viewer, &response)
        case .listRemovals: return try listRemovals(id, request, viewer, &response)
        case .deleteRemoval: return try deleteRemoval(id, self.id(1, captures, request), request, viewer, &response)
        case .listClubBooks: return try listClubBooks(id, request, viewer, &response)
        case .putClubBook: return try putClubBook(id, self.id(1, captures, request), request, viewer, &response)
        case .patchClubBook: return try patchClubBook(id, self.id(1, captures, request), request, viewer, &response)
        case .deleteClubBook: return try deleteClubBook(id, self.id(1, captures, request), request, viewer, &response)
        case .listMilestones: return try listMilestones(id, request, viewer, &response)
        case .createMilestone: return try createMilestone(id, request, viewer, &response)
        case .patchMilestone: return try patchMilestone(id, self.id(1, captures, request), request, viewer, &response)
        case .deleteMilestone: return try deleteMilestone(id, self.id(1, captures, request), request, viewer, &response)
        case .listStandings: return try listStandings(id, request, viewer, &response)
        case .createStanding: return try createStanding(id, request, viewer, &response)
        case .deleteStanding: return try deleteStanding(id, self.id(1, captures, request), request, viewer, &response)
        case .listMeetings: return try listMeetings(id, request, viewer, &response)
        case .createMeeting: return try createMeeting(id, request, viewer, &response)
        case .getMeeting: return try getMeeting(id, self.id(1, captures, request), request, viewer, &response)
        case .patchMeeting: return try patchMeeting(id, self.id(1, captures, request), request, viewer, &response)
        case .deleteMeeting: return try deleteMeeting(id, self.id(1, captures, request), request, viewer, &response)
        case .getMeetingNotes: return try getMeetingNotes(id, self.id(1, captures, request), request, viewer, &response)
        case .getNextMeetingNotes: return try getMeetingNotes(id, nil, request, viewer, &response)
        case .listAttendances: return try listAttendances(id, self.id(1, captures, request), request, viewer, &response)
        case .putAttendance: return try putAttendance(id, self.id(1, captures, request), request, viewer, &response)
        case .listCalendars: return try listCalendars(id, request, viewer, &response)
        case .createCalendar: return try createCalendar(id, request, viewer, &response)
        case .deleteCalendar: return try deleteCalendar(id, self.id(1, captures, request), request, viewer, &response)
        case .listReactions: return try listReactions(id, request, viewer, &response)
        case .putReaction: return try putReaction(id, captures, isThere: true, request, viewer, &response)
        case .deleteReaction: return try putReaction(id, captures, isThere: false, request, viewer, &response)
        case .listListings: return try listListings(request, viewer, &response)
        case .getListing: return try getListing(id, request, viewer, &response)
        case .createJoinRequest: return try createJoinRequest(id, request, viewer, &response)
        case .listOwnRequests: return try listOwnRequests(request, viewer, &response)
        case .deleteOwnRequest: return try deleteOwnRequest(id, request, viewer, &response)
        case .listJoinRequests: return try listJoinRequests(id, request, viewer, &response)
        case .patchJoinRequest:
            return try patchJoinRequest(id, self.id(1, captures, request), request, viewer, &response)
        case .listClubNotes: return try listClubNotes(id, request, viewer, &response)
        case .listNotes: return try listNotes(request, viewer, &response)
        case .createNote: return try createNote(request, viewer, &response)
        case .getNote: return try getNote(id, request, viewer, &response)
        case .patchNote: return try patchNote(id, request, viewer, &response)
        case .deleteNote: return try deleteNote(id, request, viewer, &response)
        case .createReply: return try createReply(id, request, viewer, &response)
        }
    }

    /// The viewer, when they may come in by the route with the request's method.
    private func viewer(of request: borrowing Request, for route: Route) throws(LecternError) -> Viewer {
        let holder = try ticketHolder(request, route)
        let viewer = if let holder { holder } else { try authenticator.viewer(request, now: .now) }
        if route.admission == .administrators, viewer.role != .administrator {
            throw .refused(.administratorsOnly, "Only an administrator may do this.")
        }
        let reads = request.method == .get || request.method == .head || route == .createTicket
        if viewer.access == .read, !reads {
            throw .refused(.readOnlyToken, "The token's scope is read; this needs a token with the scope write.")
        }
        return viewer
    }

    /// The id in a capture of the path; what is no UUID names nothing. Without a capture the result is not used.
    private func id(_ index: Int, _ captures: Captures, _ request: borrowing Request) throws(LecternError) -> ResourceID
    {
        guard index < captures.count else { return ResourceID(high: 0, low: 0) }
        guard let id = ResourceID(text: captures.bytes(index, in: request.path)) else { throw .notFound }
        return id
    }
}
