/// The audience of a kind's changes, as a condition on their rows in the log.
enum ExpectedAudience: Sendable {
    case everyone
    case itsReader
    case itsClub
    case itsModerators
    /// The moderators, and each row's own reader. Before the schema's fourth version only an invitation's maker
    /// received its changes.
    case itsModeratorsAndReader
    /// The club, or the author of the row.
    case itsClubOrReader
    /// The club, or its members who are not moderators, and one member whose role changes.
    case itsClubOrPlainMembers
    /// The moderators, and one member who becomes a moderator.
    case itsModeratorsAndMember

    var condition: String {
        switch self {
        case .everyone: "scope = 0 AND reader = 0"
        case .itsReader: "scope > 0 AND reader = 0"
        case .itsClub: "scope < 0 AND reader = 0"
        case .itsModerators: "scope < 0 AND reader = -1"
        case .itsModeratorsAndReader: "(scope < 0 AND reader = -1 OR scope > 0 AND reader = 0)"
        case .itsClubOrReader: "scope <> 0 AND reader = 0"
        case .itsClubOrPlainMembers: "scope < 0 AND reader <> -1"
        case .itsModeratorsAndMember: "scope < 0 AND (reader = -1 OR reader > 0)"
        }
    }
}
