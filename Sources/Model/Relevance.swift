/// How well a book answers a query: a number that is greater for the better.
///
/// First comes the book whose title is what is asked, then titles that begin so, then the others by where the words are, and
/// by how many readers have the book. The words of a query all must occur, so that their rarity would tell little between books;
/// and a number that followed from all other books would move while somebody turns pages. So, other than in BM25 (Robertson and
/// Zaragoza, 2009), whose weights of fields and lengths these are like, all words weigh the same.
public struct Relevance: Sendable {
    private let query: SearchQuery
    /// What is asked, squeezed.
    private let asked: [UInt8]

    public init(_ query: SearchQuery) {
        self.query = query
        asked = Self.squeezed(query.text.words)
    }

    /// What a title that is what is asked counts at least.
    public static let exact: Int64 = 8000

    /// Of a title and the names beside it, of a book of a `ReaderClass`.
    public func score(of title: SearchText, and names: SearchText? = nil, readers: Int64 = 0) -> Int64 {
        let words = title.words
        let byTitle = byTitle(words, title.mainCount)
        // Of titles that begin alike, such as those of a series, none is better for being shorter.
        let byWords = (1..<Self.exact).contains(byTitle) ? 0 : byWords(title, words, names)
        return byTitle + byWords + readers * 120
    }

    private func byTitle(_ words: [ArraySlice<UInt8>], _ mainCount: Int) -> Int64 {
        let whole = Self.squeezed(words)
        if whole == asked { return 9000 }
        if mainCount < words.count, Self.squeezed(words.prefix(mainCount)) == asked { return Self.exact }
        guard whole.starts(with: asked) else { return 0 }
        return Self.endsWord(words, at: asked.count) ? 5000 : 4000
    }

    /// Without spaces, a leading article and words for "and": as titles are remembered.
    private static func squeezed(_ words: some Collection<ArraySlice<UInt8>>) -> [UInt8] {
        let telling = words.filter { !Conjunctions.has($0) }
        guard let first = telling.first, telling.count > 1, LeadingArticle.isOne(first) else {
            return Array((telling.isEmpty ? Array(words) : telling).joined())
        }
        return Array(telling.dropFirst().joined())
    }

    /// Whether one of the words ends so many squeezed bytes on.
    private static func endsWord(_ words: [ArraySlice<UInt8>], at count: Int) -> Bool {
        var ends = 0
        let telling = words.filter { !Conjunctions.has($0) }
        let hasArticle = telling.count > 1 && LeadingArticle.isOne(telling[0])
        for word in telling.dropFirst(hasArticle ? 1 : 0) {
            ends += word.count
            if ends >= count { return ends == count }
        }
        return false
    }

    /// Where the words are: up to 1000, and up to 1500 more for how much of the title proper they are.
    private func byWords(_ title: SearchText, _ words: [ArraySlice<UInt8>], _ names: SearchText?) -> Int64 {
        let nameWords = names?.words ?? []
        var sum: Int64 = 0
        var covered: Set<Int> = []
        for ways in query.groups {
            var best: Int64 = 0
            for way in ways {
                for (start, weight) in Self.places(of: way, in: words) {
                    best = max(best, weight)
                    let count = way.words.count(where: { $0 == UInt8(ascii: " ") }) + 1
                    covered.formUnion(start..<start + count)
                }
                for (_, weight) in Self.places(of: way, in: nameWords) { best = max(best, weight * 4 / 5) }
                if best == 0, title.contains(way.words, asPrefix: way.begins) { best = 50 }
            }
            sum += best
        }
        let main = max(1, title.mainCount)
        let share = Int64(covered.count(where: { $0 < main }) * 1500 / main)
        return sum * 10 / Int64(max(1, query.groups.count)) + share
    }

    /// Of a text that has no title: whole words before beginnings, and then the more of them the better.
    public func score(ofText text: SearchText) -> Int64 {
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

    /// Where words are what is looked for, each with what that counts: a whole word 100, a beginning the less the shorter it is.
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
