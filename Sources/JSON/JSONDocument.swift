/// A JSON text that has been found well-formed (RFC 8259), with the index that makes its values accessible.
///
/// Two allocations: the index, and the document itself; values are views into it. Strings and numbers are decoded when asked for.
/// A document never changes, so any thread may use it. Repeated member names are accepted here, as RFC 8259 section 4
/// allows, and refused by `ObjectDecoder`.
public final class JSONDocument: Sendable {
    let bytes: [UInt8]
    let tape: Tape

    /// Parses a text. Nothing may stand around the value but white space; a byte order mark is refused.
    public init(_ bytes: [UInt8], limits: JSONLimits = JSONLimits()) throws(JSONError) {
        var parser = Parser(bytes.span, limits: limits)
        try parser.parse()
        self.tape = parser.tape
        self.bytes = bytes
    }

    /// Parses a copy of a text that lives in somebody else's buffer, such as the body of a request.
    public convenience init(copying text: RawSpan, limits: JSONLimits = JSONLimits()) throws(JSONError) {
        try self.init(text.withUnsafeBytes { [UInt8]($0) }, limits: limits)
    }

    /// The value of the whole text.
    public var root: JSONValue { JSONValue(document: self, index: 0) }
}
