import Model

/// A resource whose end changes rows of other tables.
enum EndingResource {
    case club(Club)
    /// A membership.
    case member(Member)
    case note(Note)
    case reading(Reading)
}
