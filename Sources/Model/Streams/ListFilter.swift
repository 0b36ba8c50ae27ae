import JSON

/// The filter of a watched list. It is boxed because it is part of every subscription and few have one.
public indirect enum ListFilter: Hashable, Sendable {
    case all
    case books(BookFilter)
    case notes(NoteFilter)
    /// Resources with these values in their fields, and with words that match a search if there is one.
    case fields([FieldCondition], SearchQuery? = nil)

    /// Returns the filter of resources with a value in a field, or of all if the value is `nil`.
    @inlinable
    public static func having(_ name: String, _ value: (some StorableValue)?) -> ListFilter { all.having(name, value) }

    /// Returns the filter of resources that also have a value in a field, or this filter if the value is `nil`.
    @inlinable
    public func having(_ name: String, _ value: (some StorableValue)?) -> ListFilter {
        value.map { having(name, cell: $0.cell) } ?? self
    }

    /// Returns the filter of resources that also have a value, given as it is stored, in a field.
    public func having(_ name: String, cell: DatabaseValue) -> ListFilter {
        .fields(conditions + [FieldCondition(name: name, value: cell)], search)
    }

    /// Returns the filter of resources whose words also match a search, or this filter if the search is `nil`.
    public func matching(_ search: SearchQuery?) -> ListFilter { search.map { .fields(conditions, $0) } ?? self }

    /// The values that resources have in their fields.
    public var conditions: [FieldCondition] { if case .fields(let conditions, _) = self { conditions } else { [] } }

    /// The search for words of resources with values in their fields.
    public var search: SearchQuery? { if case .fields(_, let search) = self { search } else { nil } }

    /// The value that resources have in a field, or `nil` if the filter names none.
    public subscript(name: String) -> DatabaseValue? { conditions.first { $0.name == name }?.value }

    /// Returns whether a resource passes the filter.
    public func matches(_ resource: FilteredResource) -> Bool {
        switch self {
        case .all: true
        case .books(let filter): resource.book.map { filter.matches($0, words: resource.words) } ?? false
        case .notes(let filter): resource.representation.map { filter.matches($0, search: resource.matches) } ?? false
        case .fields(let conditions, let search):
            resource.representation.map { shown in
                conditions.allSatisfy { $0.matches(shown) } && search.map(resource.matches) ?? true
            } ?? false
        }
    }
}
