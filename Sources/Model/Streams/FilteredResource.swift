/// A resource before or after a change, for filters. Its parsed forms are made once, on first use.
public final class FilteredResource {
    private let change: Change
    private let isBefore: Bool
    /// The representation, or `nil` if the resource did not exist then.
    public private(set) lazy var representation = isBefore ? change.representationBefore : change.representation
    private(set) lazy var book = representation.flatMap { Book($0) }
    private(set) lazy var words = representation.flatMap { SearchedWords($0, of: change.kind) }

    /// Returns whether the words match a search. Hidden ones match before a change and not after it, so a list loses the
    /// resource whether or not it had it.
    func matches(_ search: SearchQuery) -> Bool {
        change.hidesWords ? isBefore : words.map { search.matches($0) } ?? false
    }

    /// Creates the resource after a change, or before it.
    public init(_ change: Change, isBefore: Bool = false) { (self.change, self.isBefore) = (change, isBefore) }
}

extension Change {
    /// The resource after the change, or `nil` after a deletion.
    public var representation: ResourceRepresentation? { value.flatMap { ResourceRepresentation($0) } }

    /// The resource before the change, or `nil` if the change created it.
    public var representationBefore: ResourceRepresentation? {
        guard let before else { return nil }
        guard let value else { return ResourceRepresentation(before) }
        return ResourceRepresentation(value, before: before)
    }
}
