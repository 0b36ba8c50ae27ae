package import Model

/// Which members of a list a subscription wants.
package enum ListFilter: Hashable, Sendable {
    case all
    /// Boxed, like a filtered topic: they are part of every subscription, and hardly any is of these.
    indirect case books(BookFilter)
    /// Readings, or their cards.
    indirect case readings(ReadingFilter)
    indirect case notes(NoteFilter)
    /// Those that have what a search looks for in what is sent of them.
    indirect case words(SearchQuery)
    /// Those that name a certain resource in a member.
    case having(String, ResourceID)
    /// Those that have a certain text in a member.
    case saying(String, String)
    /// Standings in a club's current book.
    case current
}
