import Bytes

/// A value of a document: a view that is cheap to copy and retains its document.
public struct JSONValue: Sendable {
    public enum Kind: UInt8, Sendable, BitwiseCopyable {
        case object
        case array
        case string
        case number
        case bool
        case null
    }

    let document: JSONDocument
    let index: UInt32

    var entry: JSONStructure.Entry { document.tape[index] }

    public var kind: Kind { entry.kind }

    public var isNull: Bool { kind == .null }

    /// The value of `true` or `false`, or `nil` for anything else.
    public var bool: Bool? {
        let entry = entry
        return entry.kind == .bool ? entry.flag : nil
    }

    /// The decoded text of a string, or `nil` for anything else. It may contain U+0000.
    public var string: String? {
        let entry = entry
        return entry.kind == .string ? document.text(of: entry) : nil
    }

    /// The value of a whole number that fits, in any notation (`1.0` and `1e2` are whole), or `nil` for anything else.
    public var integer: Int64? {
        let entry = entry
        guard entry.kind == .number else { return nil }
        let bytes = document.bytes
        if let digits = DigitParser.decimal(bytes.span.bytes.extracting(range), max: .max) { return Int64(digits) }
        return ExactDecimal(document.source(of: entry))?.integer
    }

    /// The double nearest to a number, or `nil` if it is infinite or the value is not a number. Too small a number is
    /// 0.
    public var double: Double? {
        let entry = entry
        guard entry.kind == .number else { return nil }
        guard let double = Double(document.source(of: entry)), double.isFinite else { return nil }
        return double
    }

    /// The value's text in the document, including white space inside it.
    ///
    /// It may span lines: use `JSONWriter.value` for one line.
    public var encoded: [UInt8] { [UInt8](document.bytes[range]) }

    /// The value's range of bytes in its document.
    public var range: Range<Int> {
        let entry = entry
        return Int(entry.start)..<Int(entry.end)
    }

    /// The elements of an array in order; none for anything else.
    public var elements: [JSONValue] {
        let entry = entry
        guard entry.kind == .array else { return [] }
        var elements: [JSONValue] = []
        var next = index + 1
        while next != entry.next {
            elements.append(JSONValue(document: document, index: next))
            next = document.tape[next].next
        }
        return elements
    }

    /// The members of an object in order, including repeated ones; none for anything else.
    public var members: JSONMembers { JSONMembers(of: self) }

    /// The value of the first member with a name, or `nil` if there is none or the value is not an object.
    ///
    /// Names are compared byte for byte after decoding, without Unicode normalization (RFC 8259 section 8.3).
    public subscript(_ name: String) -> JSONValue? {
        var members = self.members
        while let place = members.nextPlace() {
            if document.tape[place].isText(name, in: document) {
                return JSONValue(document: document, index: place + 1)
            }
        }
        return nil
    }
}
