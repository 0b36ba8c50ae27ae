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
        var choices: [WordCorrections] = []
        for word in words {
            guard microseconds() < end else { return nil }
            var choice = WordCorrections(word)
            // A word without results alone has none with others, so it must be replaced.
            let mayStay = words.count == 1 ? false : try merit(choice.options) > 0
            if !mayStay {
                choice.demand(try near(word))
                if choice.options.isEmpty { return nil }
            }
            choices.append(choice)
        }
        return try search(&choices, until: end).map(Self.text)
    }

    /// Returns the text of a query for the words.
    static func text(_ words: [SimilarWord]) -> String {
        String(decoding: Array(words.map(\.text).joined(separator: [UInt8(ascii: " ")])), as: UTF8.self)
    }

    /// Tries combinations in order of their total distance, then of the number of replaced words that could have
    /// stayed, then of likelihood.
    private func search(_ choices: inout [WordCorrections], until end: Int64) throws(SQLiteError) -> [SimilarWord]? {
        var waiting = [CorrectionCombination(choices)]
        var best: (words: [SimilarWord], merit: Int, cost: Int)?
        for _ in 0..<Self.triesMax {
            guard let next = waiting.indices.min(by: { waiting[$0].precedes(waiting[$1]) }) else { break }
            let combination = waiting.remove(at: next)
            if let best, best.cost < combination.cost { break }
            if combination.distance > 0 {
                guard microseconds() < end else { break }
                let words = combination.words(choices)
                let merit = try merit(words)
                if merit > best?.merit ?? 0 { best = (words, merit, combination.cost) }
            }
            for index in choices.indices.dropFirst(combination.last) {
                if !choices[index].isComplete {
                    guard microseconds() < end else { return best?.words }
                    choices[index].complete(try near(choices[index].word))
                }
                if let other = combination.changed(at: index, choices) { waiting.append(other) }
            }
        }
        return best?.words
    }

    /// The options for one word of the query.
    private struct WordCorrections {
        let word: [UInt8]
        /// The options by distance. The word itself comes first if it may stay.
        private(set) var options: [SimilarWord]
        /// A Boolean value indicating whether all options are known. They are requested only if the word itself was not
        /// enough.
        private(set) var isComplete = false

        init(_ word: [UInt8]) {
            self.word = word
            options = [SimilarWord(text: word, distance: 0)]
        }

        mutating func demand(_ near: [SimilarWord]) { (options, isComplete) = (near, true) }

        mutating func complete(_ near: [SimilarWord]) {
            options += near
            isComplete = true
        }
    }

    /// A choice of one option for each word.
    private struct CorrectionCombination {
        private var indices: [Int]
        private(set) var distance: Int
        private var changedCount = 0
        /// The index of the word that was changed last. Only this word and later ones are changed further, so no
        /// combination is tried twice.
        private(set) var last = 0

        init(_ choices: [WordCorrections]) {
            indices = choices.map { _ in 0 }
            distance = choices.reduce(0) { $0 + $1.options[0].distance }
        }

        private var unlikeliness: Int { indices.reduce(0, +) }

        /// The cost of the changes. Among combinations with equal cost, the one with the best results is used.
        var cost: Int { distance * (SearchSuggestion.wordsMax + 1) + changedCount }

        func precedes(_ other: CorrectionCombination) -> Bool {
            (cost, unlikeliness) < (other.cost, other.unlikeliness)
        }

        /// Returns the combination with the next option for a word, or `nil` if there is none.
        func changed(at index: Int, _ choices: [WordCorrections]) -> CorrectionCombination? {
            let (options, option) = (choices[index].options, indices[index] + 1)
            guard option < options.count else { return nil }
            var other = self
            other.indices[index] = option
            other.distance += options[option].distance - options[option - 1].distance
            if options[option - 1].distance == 0 { other.changedCount += 1 }
            other.last = index
            return other
        }

        func words(_ choices: [WordCorrections]) -> [SimilarWord] { zip(choices, indices).map { $0.options[$1] } }
    }
}
