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
