package import Model

/// Which members of a list a subscription wants. Boxed, like a filtered topic: it is part of every subscription, and hardly any
/// has one.
package indirect enum ListFilter: Hashable, Sendable {
    case all
    case books(BookFilter)
    /// Readings, or their cards.
    case readings(ReadingFilter)
    case notes(NoteFilter)
    /// Those that have what a search looks for in what is sent of them.
    case words(SearchQuery)
    /// Those that name a certain resource in a member.
    case having(String, ResourceID)
    /// Those that have a certain text in a member.
    case saying(String, String)
    /// Standings in a club's current runs.
    case current
    case runs(RunFilter)
}
