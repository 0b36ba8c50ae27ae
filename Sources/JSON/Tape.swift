/// The structure of a document: one entry per value and per member name, in the order of the text.
///
/// The entries of an object alternate: name, value, name, value. A container is followed by what it contains, and knows
/// where that ends, so that a whole value is stepped over at once.
struct Tape: Sendable {
    struct Entry: Sendable, BitwiseCopyable {
        /// The first byte of the value; for a string its quotation mark.
        var start: UInt32
        /// The byte after the value.
        var end: UInt32
        /// The entry after the value and all it contains. While a container is open: the container around it.
        var next: UInt32
        var kind: JSONValue.Kind
        /// For a string: its text has escapes. For a bool: it is true.
        var flag: Bool
    }

    /// Stands for "no container" while parsing.
    static let none = UInt32.max

    var entries: [Entry] = []

    /// Makes room for what a text of that length usually needs, in one allocation, and leaves the unusual to growth.
    init(textBytes: Int) {
        entries.reserveCapacity(min(textBytes / 8 + 8, 1024))
    }

    var count: Int { entries.count }

    subscript(index: UInt32) -> Entry {
        get { entries[Int(index)] }
        set { entries[Int(index)] = newValue }
    }

    mutating func append(_ kind: JSONValue.Kind, from start: Int, to end: Int, flag: Bool = false) {
        entries.append(
            Entry(
                start: UInt32(truncatingIfNeeded: start), end: UInt32(truncatingIfNeeded: end),
                next: UInt32(truncatingIfNeeded: entries.count + 1), kind: kind, flag: flag))
    }

    /// Begins a container inside `parent`, and answers its index.
    mutating func open(_ kind: JSONValue.Kind, at start: Int, in parent: UInt32) -> UInt32 {
        let index = UInt32(truncatingIfNeeded: entries.count)
        let start = UInt32(truncatingIfNeeded: start)
        entries.append(Entry(start: start, end: start, next: parent, kind: kind, flag: false))
        return index
    }

    /// Ends a container, and answers the one around it.
    mutating func close(_ index: UInt32, at end: Int) -> UInt32 {
        let parent = entries[Int(index)].next
        entries[Int(index)].end = UInt32(truncatingIfNeeded: end)
        entries[Int(index)].next = UInt32(truncatingIfNeeded: entries.count)
        return parent
    }
}
