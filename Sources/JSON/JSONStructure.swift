/// The structure of a document: one entry per value and per member name, in the order of the text.
///
/// The entries of an object alternate: name, value, name, value. A container's entry precedes its contents and has the
/// index after them, so a whole value can be skipped at once.
struct JSONStructure: Sendable {
    struct Entry: Sendable, BitwiseCopyable {
        /// The first byte of the value; for a string, its quotation mark.
        var start: UInt32
        /// The byte after the value.
        var end: UInt32
        /// The entry after the value and all its contents. While a container is open, it is the enclosing container.
        var next: UInt32
        var kind: JSONValue.Kind
        /// A Boolean value indicating whether a string has escapes, or the value of a Boolean.
        var flag: Bool
    }

    /// The index that means "no container" while parsing.
    static let none = UInt32.max

    var entries: [Entry] = []

    /// Reserves space for the usual needs of a text of this length, in one allocation; unusual texts make it grow.
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

    /// Begins a container inside `parent` and returns its index.
    mutating func open(_ kind: JSONValue.Kind, at start: Int, in parent: UInt32) -> UInt32 {
        let index = UInt32(truncatingIfNeeded: entries.count)
        let start = UInt32(truncatingIfNeeded: start)
        entries.append(Entry(start: start, end: start, next: parent, kind: kind, flag: false))
        return index
    }

    /// Ends a container and returns the enclosing one.
    mutating func close(_ index: UInt32, at end: Int) -> UInt32 {
        let parent = entries[Int(index)].next
        entries[Int(index)].end = UInt32(truncatingIfNeeded: end)
        entries[Int(index)].next = UInt32(truncatingIfNeeded: entries.count)
        return parent
    }
}
