/// Who may see a change: everyone, or one reader.
public struct Scope: Hashable, Sendable {
    /// 0 is everyone; any other number is the key of the reader whose private thing it is.
    public let number: Int64

    /// The scope with that number, as the log stores it.
    public init(number: Int64) { self.number = number }

    /// Everyone who has a token.
    public static let everyone = Scope(number: 0)

    /// One reader alone.
    public static func reader(key: Int64) -> Scope { Scope(number: key) }
}
