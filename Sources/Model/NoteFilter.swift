/// Which notes of a list.
public struct NoteFilter: Sendable, Hashable {
    /// On this book only.
    public var book: ResourceID?
    /// Of this thread only: the note that it began with, and the replies.
    public var thread: ResourceID?
    /// With these words only.
    public var search: SearchQuery?

    /// All notes.
    public init() {}
}
