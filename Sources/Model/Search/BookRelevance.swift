/// A score of how well a book matches a query; higher is better.
///
/// A title that equals the query comes first, then titles that begin with it. All others follow by the places of the
/// words and by the book's number of readers. All words of a query must occur, so their rarity would distinguish books
/// little. A score that depended on all other books would also change while somebody turns pages. Unlike in BM25
/// (Robertson and Zaragoza, 2009), whose weights of fields and lengths these resemble, all words therefore weigh the
/// same.
public struct BookRelevance: Sendable {
    private let query: SearchQuery
    /// The words of the query without spaces, a leading article and words for "and": see `squeezed`.
    private let asked: [UInt8]

    public init(_ query: SearchQuery) {
        self.query = query
        asked = Self.squeezed(query.text.words)
    }

    /// The scores by title. `exact` is the minimum for a title that equals the query. `beginning` is for a title that
    /// begins with its words, and for matching names. `begun` is for a title that begins with the query within a word.
    private static let (exact, beginning, begun): (Int64, Int64, Int64) = (8000, 5000, 3000)

    /// Returns the score of a titled or named resource, for a book of a `BookPopularityClass`.
    public func score(of searched: SearchedWords, readers: Int64 = 0) -> Int64 {
        let (words, besideWords) = (searched.title.words, searched.beside?.words ?? [])
        var score = byTitle(words, searched.title.mainCount)
        // A query that is a person's name asks for their books as much as for titles that begin with it.
        if score < Self.beginning, searched.areNames,
            query.groups.allSatisfy({ Self.best(of: $0, in: besideWords) == 100 })
        {
            score = Self.beginning
        }
        // Among titles that begin alike, such as those of a series, a shorter one is not better.
        if !(1..<Self.exact).contains(score) { score += byWords(searched, words, besideWords) }
        return score + readers * 120
    }

    private func byTitle(_ words: [ArraySlice<UInt8>], _ mainCount: Int) -> Int64 {
        let whole = Self.squeezed(words)
        if whole == asked { return Self.exact + 1000 }
        if mainCount < words.count, Self.squeezed(words.prefix(mainCount)) == asked { return Self.exact }
        guard whole.starts(with: asked) else { return 0 }
        return Self.endsWord(words, at: asked.count) ? Self.beginning : Self.begun
    }

    /// Returns the words without a leading article and words for "and", as people remember titles.
    private static func telling(_ words: some Collection<ArraySlice<UInt8>>) -> [ArraySlice<UInt8>] {
        let telling = words.filter { !ConjunctionWords.has($0) }
        guard telling.count > 1, TitleLeadingArticle.isOne(telling[0]) else {
            return telling.isEmpty ? Array(words) : telling
        }
        return Array(telling.dropFirst())
    }

    /// Returns the telling words without spaces.
    private static func squeezed(_ words: some Collection<ArraySlice<UInt8>>) -> [UInt8] {
        telling(words).reduce(into: []) { $0 += $1 }
    }

    /// Returns whether one of the words ends after that many squeezed bytes.
    private static func endsWord(_ words: [ArraySlice<UInt8>], at count: Int) -> Bool {
        var ends = 0
        for word in telling(words) {
            ends += word.count
            if ends >= count { return ends == count }
        }
        return false
    }

    /// Returns the score of the words' places. It is up to 1000, plus up to 1500 for their share of the title proper,
    /// plus 1000 if all are whole words.
    private func byWords(
        _ searched: SearchedWords, _ words: [ArraySlice<UInt8>], _ besideWords: [ArraySlice<UInt8>]
    ) -> Int64 {
        let (title, beside) = (searched.title, searched.beside)
        var sum: Int64 = 0
        var covered: Set<Int> = []
        var areWhole = true
        for ways in query.groups {
            var best: Int64 = 0
            for way in ways {
                for (start, weight) in Self.places(of: way, in: words) {
                    best = max(best, weight)
                    let count = way.words.count(where: { $0 == UInt8(ascii: " ") }) + 1
                    covered.formUnion(start..<start + count)
                }
            }
            let byBeside = Self.best(of: ways, in: besideWords)
            areWhole = areWhole && max(best, byBeside) == 100
            best = max(best, byBeside * 4 / 5)
            if best == 0, ways.contains(where: { title.contains($0.words, asPrefix: $0.begins) }) { best = 50 }
            if best == 0, ways.contains(where: { beside?.contains($0.words, asPrefix: $0.begins) ?? false }) {
                best = 40
            }
            sum += best
        }
        let main = max(1, title.mainCount)
        let share = Int64(covered.count(where: { $0 < main }) * 1500 / main)
        return sum * 10 / Int64(max(1, query.groups.count)) + share + (areWhole ? 1000 : 0)
    }

    /// Returns the highest weight of a place at which one of the alternative spellings occurs in the words.
    private static func best(of ways: [SearchQuery.Alternative], in words: [ArraySlice<UInt8>]) -> Int64 {
        ways.reduce(0) { best, way in places(of: way, in: words).reduce(best) { max($0, $1.weight) } }
    }

    /// Returns the score of a text without a title: whole words before prefixes, then by the number of matches.
    public func score(ofText text: FoldedSearchText) -> Int64 {
        let words = text.words
        var (sum, count) = (Int64(0), 0)
        for ways in query.groups {
            var best: Int64 = 0
            for way in ways {
                let places = Self.places(of: way, in: words)
                count += places.count
                best = max(best, places.map(\.weight).max() ?? 0)
            }
            sum += best
        }
        return sum * 1000 / Int64(max(1, query.groups.count)) + Int64(min(count, 999))
    }

    /// Returns the places of an alternative with their weights: 100 for a whole word, and less for a prefix, the
    /// shorter it is.
    private static func places(
        of way: SearchQuery.Alternative, in words: [ArraySlice<UInt8>]
    ) -> [(start: Int, weight: Int64)] {
        let parts = way.words.split(separator: UInt8(ascii: " "))
        guard let last = parts.last, words.count >= parts.count else { return [] }
        var places: [(Int, Int64)] = []
        for start in 0...words.count - parts.count {
            let end = words[start + parts.count - 1]
            guard end.starts(with: last), way.begins || end.count == last.count else { continue }
            guard parts.dropLast().elementsEqual(words[start..<start + parts.count - 1], by: { $0 == $1 }) else {
                continue
            }
            places.append((start, end.count == last.count ? 100 : 40 + Int64(40 * last.count / end.count)))
        }
        return places
    }
}
