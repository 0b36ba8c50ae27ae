import JSON

/// The filter of a list of runs.
public struct ClubRunFilter: Sendable, Hashable {
    /// The book of the runs.
    public var book: ResourceID?
    public var state: ClubRunState?

    /// Creates a filter that every run passes.
    public init() {}

    /// Returns whether a run passes, given its representation.
    public func matches(_ representation: ResourceRepresentation) -> Bool {
        if let book, representation["book"].flatMap({ ResourceID(json: $0) }) != book { return false }
        return state == nil || representation["state"]?.string == state?.rawValue
    }
}
