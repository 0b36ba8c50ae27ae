/// What is done in a club.
public enum ClubAction: String, Sendable, CaseIterable {
    /// See the club, its members and, as far as they have read, its notes.
    case see
    /// Write notes and replies; edit and delete one's own.
    case writeNotes
    /// Say what the club's books are to them: read along, react, come to meetings.
    case takePart
    /// Go away.
    case leave
    /// Delete what others wrote.
    case deleteNotes
    /// See, make and revoke invitations; let in who asks.
    case invite
    /// Choose the club's books, its milestones and its meetings.
    case plan
    /// See what members share with moderators only.
    case oversee
    /// Take out a member.
    case removeMembers
    /// Take out a moderator or an owner.
    case removeModerators
    /// Make members moderators or owners, and the other way round.
    case changeRoles
    /// Change what the club is called, and its rules.
    case edit
    /// End the club, with all that is in it.
    case delete
}

/// Who may do what in a club: the one place that says so. Who is no member may do nothing, and is not told that there is a
/// club: an administrator of the service is no exception.
public enum Rights {
    private static let table: [Member.Role: Set<ClubAction>] = [
        .member: [.see, .writeNotes, .takePart, .leave],
        .moderator: [.see, .writeNotes, .takePart, .leave, .deleteNotes, .invite, .plan, .oversee, .removeMembers],
        .owner: Set(ClubAction.allCases),
    ]

    /// Whether a member with that role may do it.
    public static func allow(_ action: ClubAction, _ role: Member.Role) -> Bool {
        table[role]?.contains(action) ?? false
    }

    /// Throws `notFound` for who is no member, `roleMissing` for a member who may not.
    public static func demand(_ action: ClubAction, of role: Member.Role?) throws(LecternError) {
        guard let role else { throw .notFound }
        guard allow(action, role) else {
            let who = Member.Role.allCases.filter { allow(action, $0) }.map { "\($0.rawValue)s" }
            throw .refused(.roleMissing, "In this club only \(who.joined(separator: " and ")) may do this.")
        }
    }
}
