/// The elements of an array, in the order of the document.
public struct JSONElements: Sequence, IteratorProtocol, Sendable {
    private let document: JSONDocument
    private var index: UInt32
    private let end: UInt32

    init(of value: JSONValue) {
        let entry = value.entry
        document = value.document
        index = value.index + 1
        end = entry.kind == .array ? entry.next : index
    }

    /// Whether nothing is left.
    public var isEmpty: Bool { index == end }

    /// The next element.
    public mutating func next() -> JSONValue? {
        guard index != end else { return nil }
        defer { index = document.tape[index].next }
        return JSONValue(document: document, index: index)
    }
}
