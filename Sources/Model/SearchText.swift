/// A text as it is searched: its words, folded, in UTF-8, with one space between two of them.
///
/// The index stores these bytes, titles are sorted by them, and a query and a watched search compare them byte by byte. So
/// the database and a stream agree by construction on what matches: there is one fold and one comparison. Bytes, never
/// `String`, whose `==` and `hasPrefix` go by canonical equivalence and whole characters, which no index does.
public struct SearchText: Hashable, Sendable {
    /// The words.
    public let bytes: [UInt8]

    /// The words of a text.
    public init(_ text: String) { bytes = SearchFold.words(of: text) }

    /// The words of several texts.
    public init(_ texts: [String]) {
        bytes = Array(texts.map(SearchFold.words).filter { !$0.isEmpty }.joined(separator: [space]))
    }

    /// Its words, one by one.
    public var words: [ArraySlice<UInt8>] { bytes.split(separator: space) }

    /// Whether one of its words is the given one, or begins with it.
    func contains(_ word: ArraySlice<UInt8>, asPrefix: Bool) -> Bool {
        var start = 0
        while start + word.count <= bytes.count {
            let end = start + word.count
            let isEnd = asPrefix || end == bytes.count || bytes[end] == space
            if isEnd, bytes[start..<end].elementsEqual(word) { return true }
            guard let next = bytes[start...].firstIndex(of: space) else { return false }
            start = next + 1
        }
        return false
    }
}

private let space = UInt8(ascii: " ")

/// A search over words: every word must occur, the last one may be a beginning.
public struct SearchQuery: Sendable, Hashable {
    /// The words that are asked for.
    public let text: SearchText
    /// Whether the last word may be the beginning of one.
    public let lastIsPrefix: Bool
    /// The words of `text`, each once but the last one: found once for all that it is compared with.
    public let words: [ArraySlice<UInt8>]

    /// The query of a text; nil when it holds no word.
    public init?(_ text: String, lastIsPrefix: Bool) {
        self.text = SearchText(text)
        self.lastIsPrefix = lastIsPrefix
        let all = self.text.words
        guard let last = all.last else { return nil }
        var seen: Set<ArraySlice<UInt8>> = []
        words = all.dropLast().filter { seen.insert($0).inserted } + [last]
    }

    /// Whether each of its words is in a text, or in another one; the same answer as the index gives.
    public func matches(_ text: SearchText, or other: SearchText? = nil) -> Bool {
        words.indices.allSatisfy { index in
            let asPrefix = lastIsPrefix && index == words.count - 1
            return text.contains(words[index], asPrefix: asPrefix)
                || other?.contains(words[index], asPrefix: asPrefix) ?? false
        }
    }
}
