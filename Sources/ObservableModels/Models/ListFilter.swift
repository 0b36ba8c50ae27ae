package import Model

/// A filter of a watched list. It is boxed, like a filtered topic, because it is part of every subscription and few
/// have one.
package indirect enum ListFilter: Hashable, Sendable {
    case all
    case books(BookFilter)
    /// Readings, or their cards.
    case readings(ReadingFilter)
    case notes(NoteFilter)
    /// Resources whose representation matches a search.
    case words(SearchQuery)
    /// Resources that name a certain resource in a member.
    case having(String, ResourceID)
    /// Resources that have a certain text in a member.
    case saying(String, String)
    /// Standings in a club's current runs.
    case current
    case runs(ClubRunFilter)
}
