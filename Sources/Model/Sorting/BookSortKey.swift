/// The key by which books are sorted: a text whose UTF-8 bytes are in a librarian's order, as SQLite compares them.
///
/// It has the folded words, with one space between them, so that nothing sorts before something. Numbers are sorted by
/// value (`SortableNumber`). A letter with a stroke comes after all words with the plain letter (`SortText`); other marks
/// do not count. Only the separator of author and title is below the space.
public struct BookSortKey: Hashable, Sendable {
    /// The key in UTF-8, never longer than a cursor can carry.
    public let bytes: [UInt8]

    /// The maximum length of a key in bytes. Some characters fold to eighteen.
    private static let bytesMax = 2000
    /// The byte between the author and the title.
    private static let separator: UInt8 = 1

    /// The key as it is stored.
    public var text: String { String(decoding: bytes, as: UTF8.self) }

    private init(_ bytes: [UInt8]) {
        guard bytes.count > Self.bytesMax else {
            self.bytes = bytes
            return
        }
        var end = Self.bytesMax
        // Do not cut within a character.
        while bytes[end] & 0xC0 == 0x80 { end -= 1 }
        self.bytes = Array(bytes[..<end])
    }

    /// Creates the key of a title, without the leading article of the book's language.
    public init(title: String, language: String?) {
        let plain = SortText.plain(title)
        let words = TitleLeadingArticle.end(in: plain, language: language ?? "").map {
            SortText.words(ofPlain: String(plain[$0...]))
        }
        // Only if a word remains.
        self.init(words.flatMap { $0.isEmpty ? nil : $0 } ?? SortText.words(ofPlain: plain))
    }

    /// Creates the key of a book by the family name of its first author, then by its title. Books without an author
    /// come first.
    public init(authors: [String], title: String, language: String?) {
        let title = BookSortKey(title: title, language: language)
        let author = authors.first.map { SortText.words(ofPlain: AuthorName.filed($0, language: language)) } ?? []
        self.init(author + [Self.separator] + title.bytes)
    }
}

/// The range of the titles that begin with some words, in the order of titles: from `first` on, before `end`.
public struct TitleRange: Hashable, Sendable {
    public let first: String
    public let end: String

    private init(_ words: [UInt8]) {
        first = String(decoding: words, as: UTF8.self)
        // U+10FFFF is not a character, so no key contains it, and it sorts after all others.
        end = first + "\u{10FFFF}"
    }

    /// Returns the ranges of the titles that equal a text, or begin with it: as typed, and without a possible leading
    /// article. A title with exactly these words is first in its range.
    public static func titles(beginningWith text: String) -> [TitleRange] {
        let plain = SortText.plain(text)
        var all = [SortText.words(ofPlain: plain)]
        if let end = TitleLeadingArticle.end(in: plain) { all.append(SortText.words(ofPlain: String(plain[end...]))) }
        return all.filter { !$0.isEmpty }.map { TitleRange($0) }
    }
}
