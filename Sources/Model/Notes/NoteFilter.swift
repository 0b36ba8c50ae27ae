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
    /// The meeting or milestone that the notes discuss.
    public var about: ResourceID?
    /// The kind of note.
    public var kind: NoteKind?
    /// The words that the notes contain.
    public var search: SearchQuery?

    /// Creates a filter that every note passes.
    public init() {}

    /// Returns whether a note passes, given its representation and whether its words match a search.
    func matches(_ representation: ResourceRepresentation, search matches: (SearchQuery) -> Bool) -> Bool {
        func id(_ name: String) -> ResourceID? { representation[name].flatMap { ResourceID(json: $0) } }
        if let book, id("book") != book { return false }
        if let club, id("club") != club { return false }
        if let thread, id("thread") != thread, id("id") != thread { return false }
        if isOfRoots, id("thread") != nil { return false }
        if let about, id("about") != about { return false }
        if let run, id("run") != run { return false }
        if let kind, representation["kind"].flatMap({ NoteKind(json: $0) }) != kind { return false }
        return search.map(matches) ?? true
    }
}
