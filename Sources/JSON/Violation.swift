/// What is wrong with one place of an otherwise well-formed document: an item of a 422 answer.
public struct Violation: Sendable, Equatable {
    /// The place, as a JSON pointer (RFC 6901): `/authors/2`; empty for the whole document.
    public let pointer: String

    /// What is wrong there, so that place and detail read as a sentence: "must be a string".
    public let detail: String

    public init(pointer: String, detail: String) {
        self.pointer = pointer
        self.detail = detail
    }

    /// A pointer one step further: `~` and `/` of a name are escaped (RFC 6901 section 3).
    public static func pointer(_ base: String, _ name: String) -> String {
        var pointer = base
        pointer.append("/")
        for scalar in name.unicodeScalars {
            switch scalar {
            case "~": pointer.append("~0")
            case "/": pointer.append("~1")
            default: pointer.unicodeScalars.append(scalar)
            }
        }
        return pointer
    }
}
