public import JSON

/// What a reader feels about a note. The raw values are stored and sent.
public enum Reaction: String, Sendable, CaseIterable {
    case like
    case love
    case laugh
    case wonder
    case sad
    case agree
}

/// How many readers reacted to a note, and how.
public struct ReactionCounts: Sendable, Equatable {
    private var counts = [Int32](repeating: 0, count: Reaction.allCases.count)

    /// None.
    public init() {}

    /// How many have that reaction.
    public subscript(_ reaction: Reaction) -> Int32 {
        get { counts[Self.index(reaction)] }
        set { counts[Self.index(reaction)] = newValue }
    }

    private static func index(_ reaction: Reaction) -> Int { Reaction.allCases.firstIndex(of: reaction) ?? 0 }

    /// The counts that a JSON object says; what it does not say is 0.
    public init(_ json: JSONValue) {
        for reaction in Reaction.allCases {
            self[reaction] = json[reaction.rawValue]?.integer.flatMap { Int32(exactly: $0) } ?? 0
        }
    }
}

extension JSONWriter {
    /// Writes an object with the reactions that somebody has.
    public mutating func reactions(_ counts: ReactionCounts) {
        beginObject()
        for reaction in Reaction.allCases where counts[reaction] > 0 {
            name(reaction.rawValue)
            integer(Int64(counts[reaction]))
        }
        endObject()
    }
}
