/// The search for a query that has hits, made of one that has none by putting near words for some of its words.
///
/// It knows no database: what is near to a word, how good hits are and how late it is are asked for.
struct Suggestion {
    /// A query with more words is left as it is.
    static let wordsMax = 8
    /// Queries that are tried, at most, besides each word by itself.
    static let triesMax = 60

    /// Words that somebody may have meant by one, the likeliest first.
    let near: ([UInt8]) throws(SQLiteError) -> [NearWord]
    /// How good the hits of these words together are; 0 for none. Those at a distance of 0 are asked as they were typed, which may
    /// be beginnings, the others as whole words: else the shortest would have the most.
    let merit: ([NearWord]) throws(SQLiteError) -> Int
    /// A clock that only goes on.
    let microseconds: () -> Int64
    /// After so long no more is tried.
    let microsecondsMax: Int

    /// The query with the fewest changes that has hits, and of such the one with the best; nil when none was found.
    func find(_ words: [[UInt8]]) throws(SQLiteError) -> String? {
        guard (1...Self.wordsMax).contains(words.count) else { return nil }
        let end = microseconds() + Int64(microsecondsMax)
        var choices: [Choice] = []
        for word in words {
            guard microseconds() < end else { return nil }
            var choice = Choice(word)
            // What has no hits by itself has none with others: it must become another word.
            let mayStay = words.count == 1 ? false : try merit(choice.options) > 0
            if !mayStay {
                choice.demand(try near(word))
                if choice.options.isEmpty { return nil }
            }
            choices.append(choice)
        }
        return try search(&choices, until: end).map(Self.text)
    }

    /// Words as they are asked for together.
    static func text(_ words: [NearWord]) -> String {
        String(decoding: Array(words.map(\.text).joined(separator: [UInt8(ascii: " ")])), as: UTF8.self)
    }

    /// Tries combinations by the sum of their distances, then by how many words are others that might have stayed, then by how
    /// likely the words are.
    private func search(_ choices: inout [Choice], until end: Int64) throws(SQLiteError) -> [NearWord]? {
        var waiting = [Combination(choices)]
        var best: (words: [NearWord], merit: Int, cost: Int)?
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

    /// What may stand for one word of the query.
    private struct Choice {
        let word: [UInt8]
        /// By their distance; first the word itself where it may stay.
        private(set) var options: [NearWord]
        /// Whether all options are known: they are asked for only when the word itself was not enough.
        private(set) var isComplete = false

        init(_ word: [UInt8]) {
            self.word = word
            options = [NearWord(text: word, distance: 0)]
        }

        mutating func demand(_ near: [NearWord]) { (options, isComplete) = (near, true) }

        mutating func complete(_ near: [NearWord]) {
            options += near
            isComplete = true
        }
    }

    /// An option for each word.
    private struct Combination {
        private var indices: [Int]
        private(set) var distance: Int
        private var changedCount = 0
        /// The word that was changed last: only it and those behind it are changed further, so that no combination comes twice.
        private(set) var last = 0

        init(_ choices: [Choice]) {
            indices = choices.map { _ in 0 }
            distance = choices.reduce(0) { $0 + $1.options[0].distance }
        }

        private var unlikeliness: Int { indices.reduce(0, +) }

        /// Of those with one cost the one with the best hits is taken.
        var cost: Int { distance * (Suggestion.wordsMax + 1) + changedCount }

        func precedes(_ other: Combination) -> Bool { (cost, unlikeliness) < (other.cost, other.unlikeliness) }

        /// With the next option for a word; nil when there is none.
        func changed(at index: Int, _ choices: [Choice]) -> Combination? {
            let (options, option) = (choices[index].options, indices[index] + 1)
            guard option < options.count else { return nil }
            var other = self
            other.indices[index] = option
            other.distance += options[option].distance - options[option - 1].distance
            if options[option - 1].distance == 0 { other.changedCount += 1 }
            other.last = index
            return other
        }

        func words(_ choices: [Choice]) -> [NearWord] { zip(choices, indices).map { $0.options[$1] } }
    }
}
