import HTTPServer

/// Where a request goes. The contract in openapi.yaml has the same list; a test compares the two.
enum Route: Sendable, CaseIterable {
    case root
    case contract
    case health
    case metrics
    case getProblem
    case getMe, patchMe
    case listReaders, createReader, getReader, patchReader
    case listTokens, createToken, getToken, deleteToken
    case createTicket
    case listBooks, createBook, getBook, putBook, patchBook, deleteBook
    case listReadings, createReading, getReading, patchReading, deleteReading
    case listEntries, createEntry, getEntry, deleteEntry
    case listCards, getCard
    case listChanges
    case listClubs, createClub, getClub, patchClub, deleteClub
    case createMembership, listMembers, patchMember, deleteMember
    case listInvitations, createInvitation, deleteInvitation
    case listRemovals, deleteRemoval
    case listListings, getListing, createJoinRequest, listOwnRequests, deleteOwnRequest
    case listJoinRequests, patchJoinRequest
    case listClubBooks, putClubBook, patchClubBook, deleteClubBook
    case listMilestones, createMilestone, patchMilestone, deleteMilestone
    case listStandings, createStanding, deleteStanding
    case listMeetings, createMeeting, getMeeting, patchMeeting, deleteMeeting
    case getMeetingNotes, getNextMeetingNotes, listAttendances, putAttendance
    case listCalendars, createCalendar, deleteCalendar, getCalendar
    case listClubNotes, listNotes, createNote, getNote, patchNote, deleteNote, createReply
    case listReactions, putReaction, deleteReaction

    /// Method and path; what stands in braces is an id.
    var pattern: (method: Method, path: String) {
        switch self {
        case .root: (.get, "/")
        case .contract: (.get, "/openapi.yaml")
        case .health: (.get, "/healthz")
        case .metrics: (.get, "/metrics")
        case .getProblem: (.get, "/problems/{problem}")
        case .getMe: (.get, "/v1/me")
        case .patchMe: (.patch, "/v1/me")
        case .listReaders: (.get, "/v1/readers")
        case .createReader: (.post, "/v1/readers")
        case .getReader: (.get, "/v1/readers/{id}")
        case .patchReader: (.patch, "/v1/readers/{id}")
        case .listTokens: (.get, "/v1/tokens")
        case .createToken: (.post, "/v1/tokens")
        case .getToken: (.get, "/v1/tokens/{id}")
        case .deleteToken: (.delete, "/v1/tokens/{id}")
        case .createTicket: (.post, "/v1/tickets")
        case .listBooks: (.get, "/v1/books")
        case .createBook: (.post, "/v1/books")
        case .getBook: (.get, "/v1/books/{id}")
        case .putBook: (.put, "/v1/books/{id}")
        case .patchBook: (.patch, "/v1/books/{id}")
        case .deleteBook: (.delete, "/v1/books/{id}")
        case .listReadings: (.get, "/v1/readings")
        case .createReading: (.post, "/v1/readings")
        case .getReading: (.get, "/v1/readings/{id}")
        case .patchReading: (.patch, "/v1/readings/{id}")
        case .deleteReading: (.delete, "/v1/readings/{id}")
        case .listEntries: (.get, "/v1/readings/{id}/entries")
        case .createEntry: (.post, "/v1/readings/{id}/entries")
        case .getEntry: (.get, "/v1/readings/{id}/entries/{entryId}")
        case .deleteEntry: (.delete, "/v1/readings/{id}/entries/{entryId}")
        case .listCards: (.get, "/v1/cards")
        case .getCard: (.get, "/v1/cards/{id}")
        case .listChanges: (.get, "/v1/changes")
        case .listClubs: (.get, "/v1/clubs")
        case .createClub: (.post, "/v1/clubs")
        case .getClub: (.get, "/v1/clubs/{id}")
        case .patchClub: (.patch, "/v1/clubs/{id}")
        case .deleteClub: (.delete, "/v1/clubs/{id}")
        case .createMembership: (.post, "/v1/memberships")
        case .listMembers: (.get, "/v1/clubs/{id}/members")
        case .patchMember: (.patch, "/v1/clubs/{id}/members/{readerId}")
        case .deleteMember: (.delete, "/v1/clubs/{id}/members/{readerId}")
        case .listInvitations: (.get, "/v1/clubs/{id}/invitations")
        case .createInvitation: (.post, "/v1/clubs/{id}/invitations")
        case .deleteInvitation: (.delete, "/v1/clubs/{id}/invitations/{invitationId}")
        case .listRemovals: (.get, "/v1/clubs/{id}/removals")
        case .deleteRemoval: (.delete, "/v1/clubs/{id}/removals/{removalId}")
        case .listClubBooks: (.get, "/v1/clubs/{id}/books")
        case .putClubBook: (.put, "/v1/clubs/{id}/books/{bookId}")
        case .patchClubBook: (.patch, "/v1/clubs/{id}/books/{bookId}")
        case .deleteClubBook: (.delete, "/v1/clubs/{id}/books/{bookId}")
        case .listMilestones: (.get, "/v1/clubs/{id}/milestones")
        case .createMilestone: (.post, "/v1/clubs/{id}/milestones")
        case .patchMilestone: (.patch, "/v1/clubs/{id}/milestones/{milestoneId}")
        case .deleteMilestone: (.delete, "/v1/clubs/{id}/milestones/{milestoneId}")
        case .listStandings: (.get, "/v1/clubs/{id}/standings")
        case .createStanding: (.post, "/v1/clubs/{id}/standings")
        case .deleteStanding: (.delete, "/v1/clubs/{id}/standings/{standingId}")
        case .listMeetings: (.get, "/v1/clubs/{id}/meetings")
        case .createMeeting: (.post, "/v1/clubs/{id}/meetings")
        case .getMeeting: (.get, "/v1/clubs/{id}/meetings/{meetingId}")
        case .patchMeeting: (.patch, "/v1/clubs/{id}/meetings/{meetingId}")
        case .deleteMeeting: (.delete, "/v1/clubs/{id}/meetings/{meetingId}")
        case .getMeetingNotes: (.get, "/v1/clubs/{id}/meetings/{meetingId}/notes")
        case .getNextMeetingNotes: (.get, "/v1/clubs/{id}/meetings/next/notes")
        case .listAttendances: (.get, "/v1/clubs/{id}/meetings/{meetingId}/attendances")
        case .putAttendance: (.put, "/v1/clubs/{id}/meetings/{meetingId}/attendance")
        case .listCalendars: (.get, "/v1/clubs/{id}/calendars")
        case .createCalendar: (.post, "/v1/clubs/{id}/calendars")
        case .deleteCalendar: (.delete, "/v1/clubs/{id}/calendars/{calendarId}")
        case .getCalendar: (.get, "/v1/calendars/{secret}")
        case .listReactions: (.get, "/v1/notes/{id}/reactions")
        case .putReaction: (.put, "/v1/notes/{id}/reactions/{reaction}")
        case .deleteReaction: (.delete, "/v1/notes/{id}/reactions/{reaction}")
        case .listListings: (.get, "/v1/listings")
        case .getListing: (.get, "/v1/listings/{id}")
        case .createJoinRequest: (.post, "/v1/listings/{id}/requests")
        case .listOwnRequests: (.get, "/v1/requests")
        case .deleteOwnRequest: (.delete, "/v1/requests/{id}")
        case .listJoinRequests: (.get, "/v1/clubs/{id}/requests")
        case .patchJoinRequest: (.patch, "/v1/clubs/{id}/requests/{requestId}")
        case .listClubNotes: (.get, "/v1/clubs/{id}/notes")
        case .listNotes: (.get, "/v1/notes")
        case .createNote: (.post, "/v1/notes")
        case .getNote: (.get, "/v1/notes/{id}")
        case .patchNote: (.patch, "/v1/notes/{id}")
        case .deleteNote: (.delete, "/v1/notes/{id}")
        case .createReply: (.post, "/v1/notes/{id}/replies")
        }
    }

    /// Who may come in.
    var admission: Admission {
        switch self {
        case .root, .contract, .health, .getProblem, .getCalendar: .anyone
        case .metrics, .listReaders, .createReader, .getReader, .patchReader: .administrators
        default: .readers
        }
    }

    /// The query parameters of a write; all others are refused before it begins.
    var parametersOfWrite: [String] { self == .deleteMember ? ["ban"] : [] }

    /// Whether the route can be watched: `Accept: text/event-stream`.
    var isWatchable: Bool {
        switch self {
        case .listBooks, .getBook, .listReadings, .getReading, .listCards, .getCard, .listChanges, .getClub,
            .listMembers, .listClubNotes, .getNote, .listListings, .getListing, .listClubBooks, .listMilestones,
            .listStandings, .listMeetings, .getMeeting, .listAttendances:
            true
        default: false
        }
    }
}

/// Who may come in by a route. What they may then see and do, the commands and queries decide.
enum Admission: Sendable {
    case anyone
    case readers
    case administrators
}
