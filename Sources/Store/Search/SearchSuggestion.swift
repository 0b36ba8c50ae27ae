/// A search for a query with results, made from one without results by replacing some of its words with similar ones.
///
/// It does not use the database itself: closures supply similar words, the merit of results and the time.
struct SearchSuggestion {
    /// The maximum number of words of a query that is corrected.
    static let wordsMax = 8
    /// The maximum number of queries that are tried, besides each word alone.
    static let triesMax = 60

    /// Returns the similar words for a word, likeliest first.
    let near: ([UInt8]) throws(SQLiteError) -> [SimilarWord]
    /// Returns how good the results for these words together are, or 0 for none. Words at a distance of 0 are searched
    /// as typed, which may be prefixes, and the others as whole words. Otherwise the shortest word would have the most
    /// results.
    let merit: ([SimilarWord]) throws(SQLiteError) -> Int
    /// Returns monotonic microseconds.
    let microseconds: () -> Int64
    /// The time limit in microseconds.
    let microsecondsMax: Int

    /// Returns the query with the fewest changes that has results, and the best results among these, or `nil`.
    func find(_ words: [[UInt8]]) throws(SQLiteError) -> String? {
        guard (1...Self.wordsMax).contains(words.count) else { return nil }
        let end = microseconds() + Int64(microsecondsMax)
        var options: [[SimilarWord]] = []
        for word in words {
            guard microseconds() < end else { return nil }
            let typed = SimilarWord(text: word, distance: 0)
            // A word without results alone has none with others, so it must be replaced.
            let mayStay = words.count == 1 ? false : try merit([typed]) > 0
            let words = mayStay ? [typed] : try near(word)
            if words.isEmpty { return nil }
            options.append(words)
        }
        if let found = try best(of: options, replacingMore: false, until: end) { return Self.text(found) }
        for index in words.indices where options[index][0].distance == 0 {
            guard microseconds() < end else { return nil }
            options[index] += try near(words[index])
        }
        return try best(of: options, replacingMore: true, until: end).map(Self.text)
    }

    /// Returns the text of a query for the words.
    static func text(_ words: [SimilarWord]) -> String {
        String(decoding: Array(words.map(\.text).joined(separator: [UInt8(ascii: " ")])), as: UTF8.self)
    }

    /// Tries combinations of one option for each word in order of their total distance, then of the number of replaced
    /// words that could have stayed, then of likelihood. Tries those that replace such words, or those that do not.
    private func best(
        of options: [[SimilarWord]], replacingMore: Bool, until end: Int64
    ) throws(SQLiteError) -> [SimilarWord]? {
        var combinations = [CorrectionCombination()]
        for options in options {
            // The first combinations begin with first combinations of fewer words.
            combinations = Array(
                combinations.flatMap { $0.extended(by: options) }.sorted(by: <).prefix(Self.triesMax + 1))
        }
        var best: (words: [SimilarWord], merit: Int, cost: Int)?
        let tried = combinations.filter { $0.distance > 0 }.prefix(Self.triesMax)
        for combination in tried where replacingMore == (combination.optionalCount > 0) {
            if let best, best.cost < combination.cost { break }
            guard microseconds() < end else { break }
            let merit = try merit(combination.words)
            if merit > best?.merit ?? 0 { best = (combination.words, merit, combination.cost) }
        }
        return best?.words
    }

    /// A choice of one option for each word, as far as they are chosen.
    private struct CorrectionCombination {
        private(set) var words: [SimilarWord] = []
        /// The index of each word among its options.
        private var ranks: [Int] = []
        private(set) var distance = 0
        /// The number of replaced words that could have stayed.
        private(set) var optionalCount = 0
        private var unlikeliness = 0

        /// The cost of the changes. Among combinations with equal cost, the one with the best results is used.
        var cost: Int { distance * (SearchSuggestion.wordsMax + 1) + optionalCount }

        /// Returns the combinations with each of the options for the next word.
        func extended(by options: [SimilarWord]) -> [CorrectionCombination] {
            options.enumerated().map { rank, word in
                var other = self
                other.words.append(word)
                other.ranks.append(rank)
                other.distance += word.distance
                other.optionalCount += rank > 0 && options[0].distance == 0 ? 1 : 0
                other.unlikeliness += rank
                return other
            }
        }

        static func < (left: CorrectionCombination, right: CorrectionCombination) -> Bool {
            let (one, other) = ((left.cost, left.unlikeliness), (right.cost, right.unlikeliness))
            return one == other ? right.ranks.lexicographicallyPrecedes(left.ranks) : one < other
        }
    }
}
