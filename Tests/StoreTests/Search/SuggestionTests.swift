import Testing

@testable import Store

/// Tests of suggestions for queries without results, with words and results given here.
@Suite("Suggestions")
struct SuggestionTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let asked: String
        let suggestion: String?
        var testDescription: String { asked }
        init(_ asked: String, _ suggestion: String?) { (self.asked, self.suggestion) = (asked, suggestion) }
    }

    private static let near: [String: [(String, Int)]] = [
        "hary": [("mary", 1), ("harry", 1)], "poter": [("porter", 1), ("potter", 1)],
        "harrypotter": [("harry potter", 1)],
        "hairy": [("harry", 1)], "teh": [("the", 1), ("tea", 1)], "ston": [("stone", 1)], "the": [("she", 1)],
        "philosofers": [("philosophers", 2)], "farr": [("far", 1), ("farm", 1)],
        "stoen": [("stone", 1), ("stolen", 1)],
    ]
    private static let titles = [
        "harry potter and the philosophers stone", "the hairy ape", "mary poppins", "porter", "she", "animal farm",
        "far from the madding crowd", "farm boys", "the far country",
    ]

    /// Counts titles as the index would. Each word must be in a title, and may be a prefix if it was typed that way.
    private static func hits(_ words: [SimilarWord]) -> Int {
        titles.count { title in
            let titleWords = title.split(separator: " ")
            return words.allSatisfy { asked in
                String(decoding: asked.text, as: UTF8.self).split(separator: " ").allSatisfy { word in
                    titleWords.contains { asked.distance == 0 ? $0.hasPrefix(word) : $0 == word }
                }
            }
        }
    }

    private static let rows = [
        Row("hary", "mary"), Row("hary poter", "harry potter"), Row("harrypotter", "harry potter"),
        Row("harrypotter stoen", "harry potter stone"), Row("hairy potter", "harry potter"),
        Row("harry poter", "harry potter"),
        Row("teh philosofers ston", "the philosophers ston"),
        Row("hary poter philosofers stoen", "harry potter philosophers stone"),
        Row("anmal", nil), Row("anmal farr", nil), Row("animal farr", "animal farm"), Row("farr", "far"),
        Row("stoen", "stone"), Row("harr poter", "harr potter"), Row("", nil), Row("porter she", nil),
        Row("a b c d e f g h hary", nil),
    ]

    private func words(_ query: String) -> [[UInt8]] {
        query.utf8.split(separator: UInt8(ascii: " ")).map(Array.init)
    }

    private func nearWords(_ word: [UInt8]) -> [SimilarWord] {
        (Self.near[String(decoding: word, as: UTF8.self)] ?? []).map {
            SimilarWord(text: Array($0.0.utf8), distance: $0.1)
        }
    }

    @Test("Suggestions use similar words with common results and the fewest changes", arguments: rows)
    func find(_ row: Row) throws {
        let suggestion = SearchSuggestion(near: nearWords, merit: Self.hits, microseconds: { 0 }, microsecondsMax: 1)
        #expect(try suggestion.find(words(row.asked)) == row.suggestion)
    }

    @Test("Tries are limited, and none is made twice")
    func tries() throws {
        var tried: [String] = []
        let many = (0..<8).map { SimilarWord(text: Array("near\($0)".utf8), distance: 1 + $0 / 4) }
        let suggestion = SearchSuggestion(
            near: { _ in many },
            merit: { words in
                tried.append(SearchSuggestion.text(words))
                return 0
            }, microseconds: { 0 }, microsecondsMax: 1)
        #expect(try suggestion.find(words("aa bb cc dd ee")) == nil)
        #expect(tried.count == 5 + SearchSuggestion.triesMax)
        #expect(Set(tried).count == tried.count)
    }

    /// Returns the attempts for two words with similar ones, if these have a number of results, and the suggestion.
    private func tried(_ hits: [String: Int]) throws -> (tried: [String], found: String?) {
        var tried: [String] = []
        let near = ["aa": [("ab", 1), ("ac", 1), ("ad", 1), ("ae", 2)], "cc": [("cd", 1)]]
        let suggestion = SearchSuggestion(
            near: { word in
                (near[String(decoding: word, as: UTF8.self)] ?? []).map {
                    SimilarWord(text: Array($0.0.utf8), distance: $0.1)
                }
            },
            merit: { words in
                if words.count == 1 { return 1 }
                tried.append(SearchSuggestion.text(words))
                return hits[SearchSuggestion.text(words)] ?? 0
            }, microseconds: { 0 }, microsecondsMax: 1)
        let found = try suggestion.find(words("aa cc"))
        return (tried, found)
    }

    @Test("Tries are ordered by their changes, then by existing words, and the best results win")
    func order() throws {
        let all = ["ab cc", "aa cd", "ac cc", "ad cc", "ae cc", "ab cd", "ac cd", "ad cd", "ae cd"]
        #expect(try tried([:]) == (all, nil))
        #expect(try tried(["ae cd": 1]) == (all, "ae cd"))
        #expect(try tried(["aa cd": 1, "ac cc": 2, "ae cc": 3]) == (Array(all.prefix(4)), "ac cc"))
        #expect(try tried(["ab cc": 1, "ac cc": 1]) == (Array(all.prefix(4)), "ab cc"))
        #expect(try tried(["ae cc": 1, "ab cd": 2]) == (Array(all.prefix(5)), "ae cc"))
    }

    @Test("Tries end at the time limit, with the results so far", arguments: [(1, nil), (2, nil), (4, "ab cc")])
    func time(_ milliseconds: Int64, _ expected: String?) throws {
        var now: Int64 = 0
        var asked = 0
        let suggestion = SearchSuggestion(
            near: { _ in
                [SimilarWord(text: Array("ab".utf8), distance: 1), SimilarWord(text: Array("ac".utf8), distance: 1)]
            },
            merit: { words in
                asked += 1
                now += 5000 / milliseconds + 1
                return words.count == 1 || SearchSuggestion.text(words) == "ab cc" ? 1 : 0
            }, microseconds: { now }, microsecondsMax: 5000)
        #expect(try suggestion.find(words("aa cc")) == expected)
        #expect(asked == milliseconds)
    }
}
