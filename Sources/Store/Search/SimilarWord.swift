/// A word of the index, or two, that a mistyped word may stand for.
struct SimilarWord: Equatable {
    /// The folded text, with a space if two words were typed as one.
    let text: [UInt8]
    /// The number of changes from the typed word.
    let distance: Int
    /// The order of words with equal distance. People rarely mistype the first letter, and more often swap, double or
    /// omit a repeated letter than type a different one.
    private let strangeness: Int

    init(text: [UInt8], distance: Int, strangeness: Int = 0) {
        (self.text, self.distance, self.strangeness) = (text, distance, strangeness)
    }

    private init(_ word: FoldedWordLetters, text: [UInt8], distance: Int, of asked: FoldedWordLetters) {
        let hasFirst = word.scalars.first == asked.scalars.first
        let hasSame = Set(word.scalars) == Set(asked.scalars)
        self.init(text: text, distance: distance, strangeness: (hasFirst ? 0 : 2) + (hasSame ? 0 : 1))
    }

    private func precedes(_ other: SimilarWord) -> Bool {
        if distance != other.distance { return distance < other.distance }
        if strangeness != other.strangeness { return strangeness < other.strangeness }
        return text.lexicographicallyPrecedes(other.text)
    }

    /// The maximum number of words that are compared with one word, those of equal length first.
    static let candidatesMax = 4000
    /// The maximum number of words that are returned for one word.
    static let countMax = 16
    /// The maximum number of pairs of words, written together in the search, among those that are returned.
    private static let halvesMax = 2

    /// Returns the words of the index that are similar to a word, likeliest first, without the word itself.
    static func all(of word: ArraySlice<UInt8>, in connection: SQLiteConnection) throws(SQLiteError) -> [SimilarWord] {
        guard let asked = FoldedWordLetters(word) else { return [] }
        var found: [[UInt8]: SimilarWord] = [:]
        var left = candidatesMax
        let select = try connection.statement("SELECT word FROM words WHERE part = ?1 LIMIT ?2")
        for longer in [0, 1, -1, 2, -2] {
            let length = asked.scalars.count + longer
            guard (2...FoldedWordLetters.countMax).contains(length) else { continue }
            let max = MisspellingParts.distanceMax(asked.scalars.count, length)
            guard max > 0 else { continue }
            for key in MisspellingParts.keys(of: asked, amongWordsOf: length) {
                select.bind(key, Int64(left))
                defer { select.reset() }
                while try select.step() {
                    left -= 1
                    guard let text = select.bytes(0), let candidate = FoldedWordLetters(text),
                        let distance = candidate.distance(to: asked, max: max), distance > 0
                    else { continue }
                    found[text] = SimilarWord(candidate, text: text, distance: distance, of: asked)
                }
            }
        }
        let near = found.values + (try halves(of: word, in: connection))
        return Array(near.sorted { $0.precedes($1) }.prefix(countMax))
    }

    /// Returns pairs of words of the index that were typed as one, those with the most equal lengths first.
    private static func halves(of word: ArraySlice<UInt8>, in connection: SQLiteConnection) throws(SQLiteError)
        -> [SimilarWord]
    {
        var found: [SimilarWord] = []
        let middles = word.indices.dropFirst().filter { word[$0] & 0xC0 != 0x80 }
        func unevenness(_ middle: Int) -> Int { abs(word.startIndex + word.endIndex - 2 * middle) }
        for middle in middles.sorted(by: { unevenness($0) < unevenness($1) }) where found.count < halvesMax {
            let (first, second) = (word[..<middle], word[middle...])
            guard try WordTable.contains(first, in: connection), try WordTable.contains(second, in: connection) else {
                continue
            }
            found.append(SimilarWord(text: first + [UInt8(ascii: " ")] + second, distance: 1))
        }
        return found
    }
}
