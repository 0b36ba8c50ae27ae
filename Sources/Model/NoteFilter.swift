import JSON

/// Which notes of a list.
public struct NoteFilter: Sendable, Hashable {
    /// On this book only.
    public var book: ResourceID?
    /// Of this run only.
    public var run: ResourceID?
    /// In this club only.
    public var club: ResourceID?
    /// Of this thread only: the note that it began with, and the replies.
    public var thread: ResourceID?
    /// Only notes that began a thread, or may.
    public var isOfRoots = false
    /// Only the replies of that thread.
    public var hasRepliesOnly = false
    /// About this meeting or milestone only.
    public var about: ResourceID?
    /// Of this kind only.
    public var kind: Note.Kind?
    /// With these words only.
    public var search: SearchQuery?

    /// All notes.
    public init() {}

    /// Whether a note passes that is given as it is sent. Its words are asked for only by a search.
    public func matches(_ representation: Representation, words: @autoclosure () -> SearchedWords?) -> Bool {
        func id(_ name: String) -> ResourceID? { representation[name].flatMap { ResourceID(json: $0) } }
        if let book, id("book") != book { return false }
        if let club, id("club") != club { return false }
        if let thread, id("thread") != thread, hasRepliesOnly || id("id") != thread { return false }
        if isOfRoots, id("thread") != nil { return false }
        if let about, id("about") != about { return false }
        if let run, id("run") != run { return false }
        if let kind, representation["kind"].flatMap({ Note.Kind(json: $0) }) != kind { return false }
        guard let search else { return true }
        return words().map { search.matches($0) } ?? false
    }
}
