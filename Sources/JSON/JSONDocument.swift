/// A well-formed JSON text (RFC 8259), with the index that makes its values accessible.
///
/// It needs two allocations: the index, and the document itself. Values are views into it; strings and numbers are
/// decoded when they are read. A document never changes, so any thread may use it. Repeated member names are accepted
/// here, as RFC 8259 section 4 allows, and refused by `ObjectDecoder`.
public final class JSONDocument: Sendable {
    let bytes: [UInt8]
    let tape: JSONStructure

    /// Parses a text. Only white space may surround the value; a byte order mark is refused.
    public init(_ bytes: [UInt8], limits: JSONLimits = JSONLimits()) throws(JSONError) {
        var parser = JSONParser(bytes.span, limits: limits)
        try parser.parse()
        self.tape = parser.tape
        self.bytes = bytes
    }

    /// The value of the whole text.
    public var root: JSONValue { JSONValue(document: self, index: 0) }
}

/// The limits of a document. A document beyond one of them is refused with an error that names it.
public struct JSONLimits: Sendable, Equatable {
    /// The maximum number of nested arrays and objects, 1…512.
    ///
    /// Parsing needs no stack; the upper bound protects code that later walks a document recursively.
    public let depthMax: Int

    /// The maximum length of the text in bytes, at most 2³¹ − 1.
    public let bytesMax: Int

    /// The maximum length of a number in bytes, including sign and exponent.
    public let numberBytesMax: Int

    /// The maximum number of values in the document, including the names of members. A value costs 16 bytes beside its
    /// text.
    public let valuesMax: Int

    /// Creates limits, each clamped to its range.
    public init(
        depthMax: Int = 64, bytesMax: Int = 1_048_576, numberBytesMax: Int = 256, valuesMax: Int = 100_000
    ) {
        self.depthMax = min(max(depthMax, 1), 512)
        self.bytesMax = min(max(bytesMax, 1), Int(Int32.max))
        self.numberBytesMax = max(numberBytesMax, 1)
        self.valuesMax = min(max(valuesMax, 1), Int(Int32.max))
    }
}

/// The reason and the place of a syntax error (RFC 8259).
///
/// Neither contains any of the client's text, so both may be sent in a response or logged.
public struct JSONError: Error, Equatable, CustomStringConvertible {
    /// The position of the first invalid byte, counted from 0, or the number of bytes if the text ends too soon.
    ///
    /// For an unfinished string, array or object it is the end of the text; the reason says where the value begins.
    public let offset: Int

    /// The error as a noun: "a trailing comma".
    public let reason: String

    public init(offset: Int, reason: String) {
        self.offset = offset
        self.reason = reason
    }

    /// The reason with its position: "a trailing comma at byte 17".
    public var description: String { "\(reason) at byte \(offset)" }
}
