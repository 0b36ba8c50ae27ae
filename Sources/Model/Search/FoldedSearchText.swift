/// A text as searches see it: its folded words in UTF-8, with one space between them, then their other spellings (see
/// `AlternativeSpellings`).
///
/// The index stores these bytes, and a query is compared with them byte by byte. So the database and a stream always
/// agree on matches: there is one fold and one comparison. Bytes, never `String`, whose `==` and `hasPrefix` compare by
/// canonical equivalence and whole characters, which no index does.
public struct FoldedSearchText: Hashable, Sendable {
    /// The words, then the other spellings.
    public let bytes: [UInt8]
    /// The number of bytes of the words.
    private let wordsEnd: Int
    /// The number of words in the title proper, before parentheses.
    let mainCount: Int

    /// Folds a text.
    public init(_ text: String) { self.init(SearchFold.words(of: text)) }

    /// Folds several texts.
    public init(_ texts: [String]) {
        let all = texts.map { SearchFold.words(of: $0) }
        let words = all.map(\.bytes).filter { !$0.isEmpty }
        let joined = Array(words.joined(separator: [space]))
        self.init(joined, mainCount: all.reduce(0) { $0 + $1.words.count }, AlternativeSpellings.others(in: all))
    }

    init(_ words: FoldedWords) {
        self.init(words.bytes, mainCount: words.mainCount, AlternativeSpellings.others(in: [words]))
    }

    private init(_ words: [UInt8], mainCount: Int, _ others: [[UInt8]]) {
        wordsEnd = words.count
        self.mainCount = mainCount
        bytes = others.isEmpty ? words : others.reduce(into: words) { $0 += [space] + $1 }
    }

    /// The words, without other spellings.
    public var words: [ArraySlice<UInt8>] { bytes[..<wordsEnd].split(separator: space) }

    /// The words and the other spellings.
    public var all: [ArraySlice<UInt8>] { bytes.split(separator: space) }

    /// Returns whether the given words occur in sequence. With `asPrefix`, the last one may be a prefix.
    func contains(_ words: [UInt8], asPrefix: Bool) -> Bool {
        guard let first = words.first else { return asPrefix }
        var start = 0
        while start + words.count <= bytes.count {
            let end = start + words.count
            let isEnd = asPrefix || end == bytes.count || bytes[end] == space
            if isEnd, bytes[start] == first, bytes[start..<end].elementsEqual(words) { return true }
            while start < bytes.count, bytes[start] != space { start += 1 }
            start += 1
        }
        return false
    }
}

private let space = UInt8(ascii: " ")
