import JSON

extension Note {
    /// The author's text, or else the quotation; `nil` once both are removed.
    public var text: String? { body.isEmpty ? quote : body }

    /// The folded words that searches compare.
    public var searched: FoldedSearchText { FoldedSearchText(body: body, quote: quote) }
}

/// The kind of a note. The raw values are stored and sent.
public enum NoteKind: String, StorableValue, CaseIterable {
    case thought
    /// A quotation from the book.
    case quote
    case question
    /// A guess about the rest of the book.
    case prediction
}

extension FoldedSearchText {
    /// Folds the words of a note and of its quotation.
    public init(body: String, quote: String?) {
        self = quote.map { FoldedSearchText([body, $0]) } ?? FoldedSearchText(body)
    }
}

extension MergePatch<Note> {
    /// A Boolean value indicating whether the patch changes nothing.
    var isEmpty: Bool { steps.isEmpty }

    /// A Boolean value indicating whether the patch sets a quotation.
    public var isCiting: Bool { applied(to: Note(CommonResourceFields(id: .zero))).quote != nil }
}
