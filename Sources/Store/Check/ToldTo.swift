/// Who is told of a kind's changes: what their rows of the log are like.
enum ToldTo: Sendable {
    case everyone
    case itsReader
    case itsClub
    case itsModerators
    /// The moderators, and of each the reader whose it is; of invitations only their makers were told before the fourth step of
    /// the schema.
    case itsModeratorsAndReader
    /// A club, or its author.
    case itsClubOrReader
    /// A club, or its members who do not moderate it, and one member whose role changes.
    case itsClubOrPlainMembers
    /// The moderators, and one member who becomes one.
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
