import HTTPServer

/// Where a request goes. The contract in openapi.yaml has the same list; a test compares the two.
enum FormerRoute: Sendable, CaseIterable {
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

    /// The query parameters of a write; all others are refused before it begins.
    var parametersOfWrite: [String] { self == .deleteMember ? ["ban"] : [] }
}
