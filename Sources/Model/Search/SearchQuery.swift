import Bytes

/// A search as people type it. All its words must occur, each in any of its spellings, and each may be a prefix.
public struct SearchQuery: Sendable, Hashable {
    /// Consecutive words to look for: one, or a run of a script without spaces.
    public struct Alternative: Sendable, Hashable {
        /// The words, separated by a space.
        public let words: [UInt8]
        /// A Boolean value indicating whether the last word may be a prefix.
        public let begins: Bool
    }

    /// The words to find, each as a list of alternative spellings.
    public let groups: [[Alternative]]
    /// The text of the query.
    public let text: FoldedSearchText
    /// The ranges of the titles that equal the query or begin with it.
    public let titles: [TitleRange]

    /// The folded words of the query. A run of a script without spaces is one word.
    public let terms: [[UInt8]]

    /// The maximum number of characters (Unicode scalars) of a query.
    public static let scalarsMax = 200
    /// The maximum number of different words of a query. Each costs a walk through all its matches.
    public static let groupsMax = 24
    /// The maximum number of words of a query in which words of one or two letters may be prefixes. Nearly all titles
    /// contain words that begin so. With more than `beginningsMax`, no word may be a prefix, except the last one, which
    /// is being typed.
    private static let shortBeginningsMax = 4
    private static let beginningsMax = 8

    /// Parses a text, or returns `nil` if it has no words. A search for authors can ask for whole words, without
    /// prefixes.
    public init?(_ text: String, begins: Bool = true) {
        let folded = SearchFold.words(of: text)
        guard !folded.words.isEmpty else { return nil }
        self.text = FoldedSearchText(folded)
        titles = TitleRange.titles(beginningWith: text)
        var groups: [[Alternative]] = []
        var terms: [[UInt8]] = []
        let runs = AlternativeSpellings.runs(in: folded)
        var index = 0
        while index < folded.words.count {
            let group: [Alternative]
            if folded.words[index].isUnspaced {
                let end = Self.runEnd(from: index, in: folded)
                let isOpen = begins && folded.words[end - 1].isOpen
                let words = folded.bytes[folded.words[index].start..<folded.words[end - 1].end]
                terms.append(words.filter { $0 != UInt8(ascii: " ") })
                group = [Alternative(words: Array(words), begins: isOpen)]
                index = end
            } else {
                terms.append(Array(folded[folded.words[index]]))
                group = Self.ways(of: index, in: folded, runs, begins: begins)
                index += 1
            }
            if !groups.contains(group) { groups.append(group) }
        }
        self.groups = groups
        self.terms = terms
    }

    private static func runEnd(from start: Int, in folded: FoldedWords) -> Int {
        var end = start + 1
        while end < folded.words.count, folded.words[end].isUnspaced, folded.words[end].link == .none { end += 1 }
        return end
    }

    /// Returns the alternatives of a word: itself, other letters, the word joined to its neighbours, and the part after
    /// an elision.
    private static func ways(
        of index: Int, in folded: FoldedWords, _ runs: [Range<Int>], begins: Bool
    ) -> [Alternative] {
        let (words, word) = (folded.words, Array(folded[folded.words[index]]))
        let isShort = word.count(where: { $0 & 0xC0 != 0x80 }) < 3
        let begins =
            begins
            && (index == words.count - 1 || words.count <= (isShort ? shortBeginningsMax : beginningsMax))
        var ways: [Alternative] = []
        func add(_ word: [UInt8], begins: Bool) {
            let way = Alternative(words: word, begins: begins)
            if !ways.contains(way) { ways.append(way) }
        }
        // Alone, such a word joins nothing: it is a word of another language, or the beginning of one.
        if ConjunctionWords.has(word[...]), words.count > 1 || word == ConjunctionWords.sign {
            add(ConjunctionWords.sign, begins: false)
            // The sign stands for the word of any language.
            if word == ConjunctionWords.sign {
                for and in ConjunctionWords.and.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
                    add(Array(and), begins: false)
                }
                return ways
            }
        }
        add(word, begins: begins)
        for other in AlternativeSpellings.letters(of: word[...]) { add(other, begins: begins) }
        if let tail = AlternativeSpellings.tail(of: words[index], in: folded) { add(tail, begins: begins) }
        for first in [index - 1, index] where first >= 0 && first + 1 < words.count {
            let pair = words[first...first + 1]
            if pair.contains(where: { $0.isUnspaced || folded[$0].elementsEqual(ConjunctionWords.sign) }) { continue }
            add(pair.flatMap { folded[$0] }, begins: begins)
        }
        for run in runs where run.contains(index) { add(words[run].flatMap { folded[$0] }, begins: begins) }
        return ways
    }

    /// Returns whether all words occur in a text, or in another one. The index gives the same answer.
    public func matches(_ text: FoldedSearchText, or other: FoldedSearchText? = nil) -> Bool {
        groups.allSatisfy { ways in
            ways.contains { text.contains($0.words, asPrefix: $0.begins) }
                || ways.contains { other?.contains($0.words, asPrefix: $0.begins) ?? false }
        }
    }
}

/// The words for "and", and the sign for them.
enum ConjunctionWords {
    static let sign = Array("&".utf8)
    static let and = Set(
        [
            "&", "and", "und", "et", "y", "e", "i", "og", "och", "en", "ve", "es", "ja", "si", "a", "in", "un", "ir",
            "и", "і", "та", "και", "ו", "و",
        ].map { Array($0.utf8)[...] })

    /// The length of the longest word, in bytes.
    private static let countMax = 6

    static func has(_ word: ArraySlice<UInt8>) -> Bool { word.count <= countMax && and.contains(word) }
}
