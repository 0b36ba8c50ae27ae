import Bytes

/// A search as people type it: all that is asked for must be there, in whichever way it is also typed, and each word may be the
/// beginning of one.
public struct SearchQuery: Sendable, Hashable {
    /// Words that are looked for as they follow each other: one, or a run of a script without spaces.
    public struct Alternative: Sendable, Hashable {
        /// The words, with a space between two.
        public let words: [UInt8]
        /// Whether the last of them may be a beginning.
        public let begins: Bool
    }

    /// What is asked for, each in all its ways.
    public let groups: [[Alternative]]
    /// What was asked.
    public let text: SearchText
    /// Where the titles are that are what was asked, or begin with it.
    public let titles: [TitleRange]

    /// The words that were asked, folded; a run of a script without spaces is one.
    public let terms: [[UInt8]]

    /// A text to search for has at most so many characters (Unicode scalars).
    public static let scalarsMax = 200
    /// More things are not asked for at once; then each of them costs a walk through all that have it.
    public static let groupsMax = 24
    /// Of more words than these, one of one or two letters is no beginning, for nearly all titles have words that begin so; or none
    /// is. But the last always is one: it is being typed.
    private static let shortBeginningsMax = 4
    private static let beginningsMax = 8

    /// The query of a text; nil when it holds no word. Of names of authors whole words can be asked for: then nothing `begins`.
    public init?(_ text: String, begins: Bool = true) {
        let folded = SearchFold.words(of: text)
        guard !folded.words.isEmpty else { return nil }
        self.text = SearchText(folded)
        titles = TitleRange.titles(beginningWith: text)
        var groups: [[Alternative]] = []
        var terms: [[UInt8]] = []
        let runs = Spellings.runs(in: folded)
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

    /// A word in all its ways: as it stands, in other letters, together with its neighbours, and what follows its elision.
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
        // Alone, such a word joins nothing: it is one of another language, or begins one.
        if Conjunctions.has(word[...]), words.count > 1 || word == Conjunctions.sign {
            add(Conjunctions.sign, begins: false)
            // Where the sign is typed, any language's word is meant.
            if word == Conjunctions.sign {
                for and in Conjunctions.and.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
                    add(Array(and), begins: false)
                }
                return ways
            }
        }
        add(word, begins: begins)
        for other in Spellings.letters(of: word[...]) { add(other, begins: begins) }
        if let tail = Spellings.tail(of: words[index], in: folded) { add(tail, begins: begins) }
        for first in [index - 1, index] where first >= 0 && first + 1 < words.count {
            let pair = words[first...first + 1]
            if pair.contains(where: { $0.isUnspaced || folded[$0].elementsEqual(Conjunctions.sign) }) { continue }
            add(pair.flatMap { folded[$0] }, begins: begins)
        }
        for run in runs where run.contains(index) { add(words[run].flatMap { folded[$0] }, begins: begins) }
        return ways
    }

    /// Whether all that is asked for is in a text, or in another one; the same answer as the index gives.
    public func matches(_ text: SearchText, or other: SearchText? = nil) -> Bool {
        groups.allSatisfy { ways in
            ways.contains { text.contains($0.words, asPrefix: $0.begins) }
                || ways.contains { other?.contains($0.words, asPrefix: $0.begins) ?? false }
        }
    }
}

/// The words for "and", and the sign that is written instead of them.
enum Conjunctions {
    static let sign = Array("&".utf8)
    static let and = Set(
        [
            "&", "and", "und", "et", "y", "e", "i", "og", "och", "en", "ve", "es", "ja", "si", "a", "in", "un", "ir",
            "и", "і", "та", "και", "ו", "و",
        ].map { Array($0.utf8)[...] })

    /// The longest of them.
    private static let countMax = 6

    static func has(_ word: ArraySlice<UInt8>) -> Bool { word.count <= countMax && and.contains(word) }
}
