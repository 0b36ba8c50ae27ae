import JSON

/// Which of a club's runs.
public struct RunFilter: Sendable, Hashable {
    /// Of this book only.
    public var book: ResourceID?
    /// In this state only.
    public var state: ClubBook.State?
    /// Only those that the club has decided to read: what it reads, has read and will read.
    public var isChosen = false

    /// All runs.
    public init() {}

    /// Whether a run passes that is given as it is sent.
    public func matches(_ representation: Representation) -> Bool {
        if let book, representation["book"].flatMap({ ResourceID(json: $0) }) != book { return false }
        guard let said = representation["state"]?.string.flatMap({ ClubBook.State(rawValue: $0) }) else { return false }
        return (state ?? said) == said && (!isChosen || said.isChosen)
    }
}

extension ClubBook.State {
    /// Whether the club has decided to read it.
    public var isChosen: Bool { self == .planned || self == .current || self == .read }
}
