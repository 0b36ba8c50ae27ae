/// An action in a club.
public enum ClubAction: String, Sendable, CaseIterable {
    /// See the club, its members and, as far as one has read, its notes.
    case see
    /// Write notes and replies, and edit and delete one's own.
    case writeNotes
    /// Read along, react, and answer meetings.
    case takePart
    /// Leave the club.
    case leave
    /// Delete the notes of others.
    case deleteNotes
    /// See, create and revoke invitations, and accept join requests.
    case invite
    /// Choose the club's books, milestones and meetings.
    case plan
    /// Remove a member.
    case removeMembers
    /// Remove a moderator or an owner.
    case removeModerators
    /// Change the roles of members.
    case changeRoles
    /// Change the club's name and its rules.
    case edit
    /// Delete the club with all its content.
    case delete
}

/// The rights of each role in a club: the one place that defines them. A reader who is not a member may do nothing, and
/// does not learn that the club exists. Administrators of the server are no exception.
public enum ClubRights {
    private static let table: [ClubMemberRole: Set<ClubAction>] = [
        .member: [.see, .writeNotes, .takePart, .leave],
        .moderator: [.see, .writeNotes, .takePart, .leave, .deleteNotes, .invite, .plan, .removeMembers],
        .owner: Set(ClubAction.allCases),
    ]

    /// Returns whether a role allows an action.
    public static func allow(_ action: ClubAction, _ role: ClubMemberRole) -> Bool {
        table[role]?.contains(action) ?? false
    }

    /// Throws `notFound` for a reader who is not a member, `roleMissing` for a member without the right.
    public static func demand(_ action: ClubAction, of role: ClubMemberRole?) throws(RequestError) {
        guard let role else { throw .notFound }
        guard allow(action, role) else {
            let who = ClubMemberRole.allCases.filter { allow(action, $0) }.map { "\($0.rawValue)s" }
            throw .refused(.roleMissing, "In this club only \(who.joined(separator: " and ")) may do this.")
        }
    }
}
