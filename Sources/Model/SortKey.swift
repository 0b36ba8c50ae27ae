/// What books are sorted by: a text whose bytes in UTF-8 are in a librarian's order, as SQLite compares them.
///
/// First come the words, folded, with one space between two of them, so that nothing comes before something; numbers are
/// among them by value (`SortNumber`), and a letter with a stroke comes after all words with the one without (`SortText`). Then,
/// only where the words are not all that there is, a byte that sorts before the space, and the letters with their marks: so
/// é is beside e, and after it when all else is equal. A key has no other byte below the space.
public struct SortKey: Hashable, Sendable {
    /// In UTF-8, and never longer than a cursor can carry.
    public let bytes: [UInt8]

    /// The longest key: some characters fold to eighteen.
    private static let bytesMax = 2000
    /// Between the parts of a key.
    private static let separator: UInt8 = 1

    /// As it is stored.
    public var text: String { String(decoding: bytes, as: UTF8.self) }

    private init(_ bytes: [UInt8]) {
        guard bytes.count > Self.bytesMax else {
            self.bytes = bytes
            return
        }
        var end = Self.bytesMax
        // Not within a character.
        while bytes[end] & 0xC0 == 0x80 { end -= 1 }
        self.bytes = Array(bytes[..<end])
    }

    /// The key of a title, without the leading article of the language that the book is in.
    public init(title: String, language: String?) {
        let plain = SortText.plain(title)
        if let end = language.flatMap({ LeadingArticle.end(in: plain, language: $0) }) {
            let text = SortText(plain: String(plain[end...]))
            // Only where something remains.
            self = text.words.isEmpty ? Self(SortText(plain: plain)) : Self(text)
        } else {
            self = Self(SortText(plain: plain))
        }
    }

    /// The key of a book by its first author's family name, and by its title among the books of one author. Books without an
    /// author come first.
    public init(authors: [String], title: String, language: String?) {
        let title = SortKey(title: title, language: language)
        let author = authors.first.map { SortText(plain: AuthorName.filed($0, language: language)).words } ?? []
        self.init(author + [Self.separator] + title.bytes)
    }

    private init(_ text: SortText) {
        self.init(text.marked.map { text.words + [Self.separator] + $0 } ?? text.words)
    }
}

/// Where in the order of titles those are that begin with something: from `first` on, before `end`.
public struct TitleRange: Hashable, Sendable {
    public let first: String
    public let end: String

    private init(_ words: [UInt8]) {
        first = String(decoding: words, as: UTF8.self)
        // No key has this character, which is none, and it sorts after all others.
        end = first + "\u{10FFFF}"
    }

    /// The ranges of the titles that are what is asked, or begin with it: as it is typed, and without what may be a leading
    /// article in some language. What has just these words is first in its range.
    public static func titles(beginningWith text: String) -> [TitleRange] {
        let plain = SortText.plain(text)
        var all = [SortText(plain: plain).words]
        if let end = LeadingArticle.end(in: plain) { all.append(SortText(plain: String(plain[end...])).words) }
        return all.filter { !$0.isEmpty }.map { TitleRange($0) }
    }
}
