import JSON

/// The filter of a watched list. It is boxed because it is part of every subscription and few have one.
public indirect enum ListFilter: Hashable, Sendable {
    case all
    case books(BookFilter)
    /// Readings, or their cards.
    case readings(ReadingFilter)
    case notes(NoteFilter)
    /// Resources whose representation matches a search.
    case words(SearchQuery)
    /// Resources that have these texts, such as ids, in members of these names.
    case members([String: String])
    /// Standings in a club's current runs.
    case current

    /// Returns the filter of resources that name a certain resource in a member.
    public static func having(_ name: String, _ id: ResourceID) -> ListFilter { .members([name: id.description]) }

    /// Returns whether a resource passes the filter.
    public func matches(_ resource: FilteredResource) -> Bool {
        switch self {
        case .all: true
        case .books(let filter): resource.book.map { filter.matches($0, words: resource.words) } ?? false
        case .readings(let filter): resource.representation.map { filter.matches($0, words: resource.words) } ?? false
        case .notes(let filter): resource.representation.map { filter.matches($0, words: resource.words) } ?? false
        case .words(let search): resource.words.map { search.matches($0) } ?? false
        case .members(let texts): texts.allSatisfy { resource.representation?[$0.key]?.string == $0.value }
        case .current: resource.representation?["isCurrent"]?.bool ?? false
        }
    }
}
