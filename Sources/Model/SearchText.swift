/// A text as it is searched: its words, folded, in UTF-8, with one space between two of them; then, in the same way, what of
/// them is also typed otherwise (see `Spellings`).
///
/// The index stores these bytes, and a query is held against them byte by byte. So the database and a stream agree by
/// construction on what matches: there is one fold and one comparison. Bytes, never `String`, whose `==` and `hasPrefix` go
/// by canonical equivalence and whole characters, which no index does.
public struct SearchText: Hashable, Sendable {
    /// The words, and the other spellings.
    public let bytes: [UInt8]
    /// How many bytes the words are.
    private let wordsEnd: Int
    /// How many words are the title proper: what comes before parentheses.
    let mainCount: Int

    /// The words of a text.
    public init(_ text: String) { self.init(SearchFold.words(of: text)) }

    /// The words of several texts.
    public init(_ texts: [String]) {
        let all = texts.map { SearchFold.words(of: $0) }
        let words = all.map(\.bytes).filter { !$0.isEmpty }
        let joined = Array(words.joined(separator: [space]))
        self.init(joined, mainCount: all.reduce(0) { $0 + $1.words.count }, Spellings.others(in: all))
    }

    init(_ words: FoldedWords) {
        self.init(words.bytes, mainCount: words.mainCount, Spellings.others(in: [words]))
    }

    private init(_ words: [UInt8], mainCount: Int, _ others: [[UInt8]]) {
        wordsEnd = words.count
        self.mainCount = mainCount
        bytes = others.isEmpty ? words : others.reduce(into: words) { $0 += [space] + $1 }
    }

    /// The words one by one, without other spellings.
    public var words: [ArraySlice<UInt8>] { bytes[..<wordsEnd].split(separator: space) }

    /// The words and the other spellings, one by one.
    public var all: [ArraySlice<UInt8>] { bytes.split(separator: space) }

    /// Whether words of it that follow each other are the given ones, of which the last may be a beginning.
    func contains(_ words: [UInt8], asPrefix: Bool) -> Bool {
        var start = 0
        while start + words.count <= bytes.count {
            let end = start + words.count
            let isEnd = asPrefix || end == bytes.count || bytes[end] == space
            if isEnd, bytes[start..<end].elementsEqual(words) { return true }
            guard let next = bytes[start...].firstIndex(of: space) else { return false }
            start = next + 1
        }
        return false
    }
}

private let space = UInt8(ascii: " ")
