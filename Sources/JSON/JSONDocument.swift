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

/// The bounds of a document. A document beyond one is refused with an error that names it.
public struct JSONLimits: Sendable, Equatable {
    /// Arrays and objects that may be open at once, 1…512.
    ///
    /// Parsing needs no stack; the upper bound keeps whatever walks a document afterwards safe.
    public let depthMax: Int

    /// The length of the text in bytes, at most 2³¹ − 1.
    public let bytesMax: Int

    /// The length of one number in bytes, sign and exponent included.
    public let numberBytesMax: Int

    /// Values in the document, each name of a member counted as one. A value costs 16 bytes beside its text.
    public let valuesMax: Int

    /// Limits; those outside their own range are moved to its nearest end.
    public init(
        depthMax: Int = 64, bytesMax: Int = 1_048_576, numberBytesMax: Int = 256, valuesMax: Int = 100_000
    ) {
        self.depthMax = min(max(depthMax, 1), 512)
        self.bytesMax = min(max(bytesMax, 1), Int(Int32.max))
        self.numberBytesMax = max(numberBytesMax, 1)
        self.valuesMax = min(max(valuesMax, 1), Int(Int32.max))
    }
}

/// Why a text is not the JSON Lectern reads (RFC 8259), and where.
///
/// Neither the reason nor the position repeats what the client sent, so both may go into an answer or a log.
public struct JSONError: Error, Equatable, CustomStringConvertible {
    /// The position of the first byte of what is wrong, counted from 0; the number of bytes when the text ends too soon.
    ///
    /// An unfinished string, array or object is wrong where the text ends; the reason says where it begins.
    public let offset: Int

    /// What is wrong there, as a noun: "a trailing comma".
    public let reason: String

    public init(offset: Int, reason: String) {
        self.offset = offset
        self.reason = reason
    }

    /// The reason with its place: "a trailing comma at byte 17".
    public var description: String { "\(reason) at byte \(offset)" }
}
