/// A writer that appends JSON to a buffer of bytes, on one line. Only the buffer's growth allocates.
///
/// It adds the commas: before a value or a name, unless the buffer is empty or ends in one of `{`, `[`, `:`, a space or
/// a line feed. A prefix such as `data: ` may therefore precede the JSON in the buffer. The caller must alternate names
/// and values.
public struct JSONWriter: Sendable {
    /// The written bytes. They may be taken, replaced or extended at any time.
    public var bytes: [UInt8]

    /// Creates a writer whose buffer has space for `capacity` bytes before it grows.
    public init(capacity: Int = 512) {
        bytes = []
        bytes.reserveCapacity(max(capacity, 0))
    }

    // MARK: - Structure

    public mutating func beginObject() { open(UInt8(ascii: "{")) }

    public mutating func endObject() { bytes.append(UInt8(ascii: "}")) }

    public mutating func beginArray() { open(UInt8(ascii: "[")) }

    public mutating func endArray() { bytes.append(UInt8(ascii: "]")) }

    /// Writes the name of a member, which must be ASCII without quotation marks, backslashes and control characters.
    public mutating func name(_ name: StaticString) {
        withPlainText(of: name) { text, writer in writer.quoted(text, isName: true) }
    }

    /// Writes the name of a member, escaped. A literal becomes a `StaticString`, which costs less.
    @_disfavoredOverload
    public mutating func name(_ name: String) {
        string(name)
        bytes.append(UInt8(ascii: ":"))
    }

    // MARK: - Values

    /// Writes a string that must be ASCII without quotation marks, backslashes and control characters.
    public mutating func string(ascii value: StaticString) {
        withPlainText(of: value) { text, writer in writer.quoted(text) }
    }

    public mutating func bool(_ value: Bool) { literal(value ? "true" : "false") }

    public mutating func null() { literal("null") }

    /// Writes an encoded value: exactly one JSON value, on one line, without trailing white space.
    public mutating func raw(_ encoded: [UInt8]) {
        encoded.withUnsafeBufferPointer { raw($0) }
    }

    /// Writes an encoded value: exactly one JSON value, on one line, without trailing white space.
    public mutating func raw(_ encoded: UnsafeBufferPointer<UInt8>) {
        let isFirst = isFirst
        append(encoded.count + 1) { slot in
            if !isFirst { slot.put(UInt8(ascii: ",")) }
            slot.put(encoded)
        }
    }

    // MARK: - Bytes

    /// A Boolean value indicating whether the next name or value needs no comma.
    @inline(__always)
    var isFirst: Bool {
        switch bytes.last {
        case nil, UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: ":"), UInt8(ascii: " "), UInt8(ascii: "\n"): true
        default: false
        }
    }

    /// Appends up to `capacity` bytes, with one check of the capacity.
    @inline(__always)
    mutating func append(_ capacity: Int, _ fill: (inout JSONOutputSlot) -> Void) {
        bytes.append(addingCapacity: capacity) { span in
            span.withUnsafeMutableBufferPointer { buffer, count in
                var slot = JSONOutputSlot(buffer)
                fill(&slot)
                count = slot.count
            }
        }
    }

    /// Writes a text that needs no escapes in quotation marks, and for a name a colon.
    mutating func quoted(_ text: UnsafeBufferPointer<UInt8>, isName: Bool = false) {
        let isFirst = isFirst
        append(text.count + 4) { slot in
            if !isFirst { slot.put(UInt8(ascii: ",")) }
            slot.put(UInt8(ascii: "\""))
            slot.put(text)
            slot.put(UInt8(ascii: "\""))
            if isName { slot.put(UInt8(ascii: ":")) }
        }
    }

    @inline(__always)
    private mutating func withPlainText(
        of literal: StaticString, _ write: (UnsafeBufferPointer<UInt8>, inout JSONWriter) -> Void
    ) {
        guard literal.hasPointerRepresentation else { return literal.withUTF8Buffer { write($0, &self) } }
        // SAFETY: a literal lives as long as the program. Reading its start is faster than `withUTF8Buffer`.
        let text = UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount)
        assert(Self.isPlain(text))
        write(text, &self)
    }

    /// Returns whether a text is ASCII that needs no escapes.
    private static func isPlain(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        text.allSatisfy { (UInt8(0x20)..<0x80).contains($0) && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
    }

    private mutating func open(_ bracket: UInt8) {
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        bytes.append(bracket)
    }

    private mutating func literal(_ word: StaticString) {
        word.withUTF8Buffer { raw($0) }
    }
}

/// The free space at the end of the writer's buffer, filled from its start.
///
/// Every `put` checks its bounds: an overflow traps.
struct JSONOutputSlot {
    private let buffer: UnsafeMutableBufferPointer<UInt8>
    private(set) var count = 0

    @inline(__always)
    init(_ buffer: UnsafeMutableBufferPointer<UInt8>) { self.buffer = buffer }

    @inline(__always)
    mutating func put(_ byte: UInt8) {
        precondition(count < buffer.count)
        buffer.initializeElement(at: count, to: byte)
        count += 1
    }

    @inline(__always)
    mutating func put(_ text: UnsafeBufferPointer<UInt8>) {
        guard let from = text.baseAddress, let to = buffer.baseAddress, text.count > 0 else { return }
        precondition(text.count <= buffer.count - count)
        // SAFETY: the space has just been checked. The writer owns its buffer, so the two do not overlap.
        (to + count).initialize(from: from, count: text.count)
        count += text.count
    }
}

extension JSONWriter {
    /// Writes a document's value on one line, without white space. Numbers keep their notation.
    ///
    /// `JSONLimits.depthMax` bounds the recursion.
    public mutating func value(_ value: JSONValue) {
        let entry = value.entry
        switch entry.kind {
        case .object:
            beginObject()
            for member in value.members {
                name(member.name)
                self.value(member.value)
            }
            endObject()
        case .array:
            beginArray()
            for element in value.elements { self.value(element) }
            endArray()
        case .string: string(value.document.text(of: entry))
        case .number, .bool, .null:
            value.document.bytes[value.range].withUnsafeBufferPointer { raw($0) }
        }
    }
}
