import JSON

/// The filter of a list of notes.
public struct NoteFilter: Sendable, Hashable {
    /// The book.
    public var book: ResourceID?
    /// The run.
    public var run: ResourceID?
    /// The club.
    public var club: ResourceID?
    /// The thread: the note that began it, and the replies.
    public var thread: ResourceID?
    /// A Boolean value indicating whether replies are excluded.
    public var isOfRoots = false
    /// The values that the notes have in other fields.
    public private(set) var fields: [FieldCondition] = []
    /// The words that the notes contain.
    public var search: SearchQuery?

    /// Creates a filter that every note passes.
    public init() {}

    /// Demands a value in a field, unless the value is `nil`.
    public mutating func demand(_ name: String, _ value: (some StorableValue)?) {
        if let value { fields.append(FieldCondition(name: name, value: value.cell)) }
    }

    /// Returns whether a note passes, given its representation and whether its words match a search.
    func matches(_ representation: ResourceRepresentation, search matches: (SearchQuery) -> Bool) -> Bool {
        func id(_ name: String) -> ResourceID? { representation[name].flatMap { ResourceID(json: $0) } }
        if let book, id("book") != book { return false }
        if let club, id("club") != club { return false }
        if let thread, id("thread") != thread, id("id") != thread { return false }
        if isOfRoots, id("thread") != nil { return false }
        if let run, id("run") != run { return false }
        return fields.allSatisfy { $0.matches(representation) } && search.map(matches) ?? true
    }
}
