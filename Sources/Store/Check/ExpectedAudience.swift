/// The audience of a kind's changes. The raw value is a condition on their rows in the log.
enum ExpectedAudience: String, Sendable {
    case everyone = "scope = 0 AND reader = 0"
    case itsReader = "scope > 0 AND reader = 0"
    case itsClub = "scope < 0 AND reader = 0"
    case itsModerators = "scope < 0 AND reader = -1"
    /// The moderators, and each row's own reader.
    case itsModeratorsAndReader = "(scope < 0 AND reader = -1 OR scope > 0 AND reader = 0)"
    /// The club, or the author of the row.
    case itsClubOrReader = "scope <> 0 AND reader = 0"
    /// The club, or its members who are not moderators, and one member whose role changes.
    case itsClubOrPlainMembers = "scope < 0 AND reader <> -1"
    /// The moderators, and one member who becomes a moderator.
    case itsModeratorsAndMember = "scope < 0 AND (reader = -1 OR reader > 0)"
}
