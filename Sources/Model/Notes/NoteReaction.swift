public import JSON

/// A reader's reaction to a note. The raw values are stored and sent.
public enum NoteReaction: String, Sendable, CaseIterable {
    case like
    case love
    case laugh
    case wonder
    case sad
    case agree
}

/// The number of reactions to a note, by kind.
public struct NoteReactionCounts: Sendable, Equatable {
    private var counts = [Int32](repeating: 0, count: NoteReaction.allCases.count)

    /// Creates counts that are all 0.
    public init() {}

    /// The number of readers with a reaction.
    public subscript(_ reaction: NoteReaction) -> Int32 {
        get { counts[Self.index(reaction)] }
        set { counts[Self.index(reaction)] = newValue }
    }

    private static func index(_ reaction: NoteReaction) -> Int { NoteReaction.allCases.firstIndex(of: reaction) ?? 0 }
}

/// Stored as a JSON object of the counts that are not 0.
extension NoteReactionCounts: StoredAsJSON {
    public init?(cell: DatabaseValue) {
        guard case .text(let text) = cell else { return nil }
        self.init()
        guard text.utf8.count > 2 else { return }
        guard let document = try? JSONDocument(Array(text.utf8)) else { return nil }
        self.init(json: document.root)
    }

    public func write(to json: inout JSONWriter) {
        json.object { json in
            for reaction in NoteReaction.allCases where self[reaction] > 0 {
                json.name(reaction.rawValue)
                json.integer(Int64(self[reaction]))
            }
        }
    }

    public init?(json: JSONValue) {
        self.init()
        for reaction in NoteReaction.allCases {
            self[reaction] = json[reaction.rawValue]?.integer.flatMap { Int32(exactly: $0) } ?? 0
        }
    }
}
