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
    /// Resources with these values in their fields.
    case fields([FieldCondition])

    /// Returns the filter of resources with a value in a field, or of all if the value is `nil`.
    public static func having(_ name: String, _ value: (some StorableValue)?) -> ListFilter { all.having(name, value) }

    /// Returns the filter of resources that also have a value in a field, or this filter if the value is `nil`.
    public func having(_ name: String, _ value: (some StorableValue)?) -> ListFilter {
        value.map { .fields(conditions + [FieldCondition(name: name, value: $0.cell)]) } ?? self
    }

    /// The values that resources have in their fields.
    public var conditions: [FieldCondition] { if case .fields(let conditions) = self { conditions } else { [] } }

    /// Returns whether a resource passes the filter.
    public func matches(_ resource: FilteredResource) -> Bool {
        switch self {
        case .all: true
        case .books(let filter): resource.book.map { filter.matches($0, words: resource.words) } ?? false
        case .readings(let filter): resource.representation.map { filter.matches($0, words: resource.words) } ?? false
        case .notes(let filter): resource.representation.map { filter.matches($0, search: resource.matches) } ?? false
        case .words(let search): resource.words.map { search.matches($0) } ?? false
        case .fields(let conditions):
            resource.representation.map { shown in conditions.allSatisfy { $0.matches(shown) } } ?? false
        }
    }
}
