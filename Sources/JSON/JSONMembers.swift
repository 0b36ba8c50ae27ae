/// The members of an object, in the order of the document.
public struct JSONMembers: Sequence, IteratorProtocol, Sendable {
    let document: JSONDocument
    private var index: UInt32
    private let end: UInt32

    init(of value: JSONValue) {
        let entry = value.entry
        document = value.document
        index = value.index + 1
        end = entry.kind == .object ? entry.next : index
    }

    /// A Boolean value indicating whether no member is left.
    public var isEmpty: Bool { index == end }

    /// Returns the next member: its decoded name, and its value.
    public mutating func next() -> (name: String, value: JSONValue)? {
        guard let place = nextPlace() else { return nil }
        return (document.text(of: document.tape[place]), JSONValue(document: document, index: place + 1))
    }

    /// Skips the next member and returns the index of its name's entry. The value's entry follows it.
    mutating func nextPlace() -> UInt32? {
        guard index != end else { return nil }
        defer { index = document.tape[index + 1].next }
        return index
    }
}
