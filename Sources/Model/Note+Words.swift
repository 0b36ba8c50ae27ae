import JSON

extension Note {
    /// What it is. The raw values are stored and sent.
    public enum Kind: String, Storable, CaseIterable {
        case thought
        /// Words of the book.
        case quote
        case question
        /// Of what is still to come.
        case prediction
    }

    /// What it says, in its author's words, or else in those that it cites; nil once it says nothing any more.
    public var text: String? { body.isEmpty ? quote : body }

    /// What a search looks into.
    public var searched: SearchText { SearchText(body: body, quote: quote) }
}

extension SearchText {
    /// A note's: its words, and those that it cites.
    public init(body: String, quote: String?) { self = quote.map { SearchText([body, $0]) } ?? SearchText(body) }
}

extension Rule where Value == Note.Kind? {
    /// What a note is, or nothing said of it.
    static let kind = Rule { decoder, name, _ in
        decoder.parsed(
            decoder.string(name, length: 1...50), name,
            "must be one of " + Note.Kind.allCases.map(\.rawValue).joined(separator: ", ")
        ) { Note.Kind(rawValue: $0) }.patch.saidOrCleared
    }
}

extension MergePatch<Note> {
    /// Whether it says anything.
    var isEmpty: Bool { steps.isEmpty }

    /// Whether there is a quote by it.
    public var isCiting: Bool { applied(to: Note(Identity(id: .zero))).quote != nil }
}
