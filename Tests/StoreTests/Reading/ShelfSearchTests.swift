import Model
import SharedByTests
import Testing

@testable import Store

@Suite("Searches in a reader's own books")
struct ShelfSearchTests {
    private func ids(
        _ reads: ReadConnection, _ filter: ListFilter, of reader: Viewer, bestFirst: Bool, limit: Int,
        isHurried: Bool = false
    ) throws -> [ResourceID] {
        var pages: [[ResourceID]] = [[], []]
        for index in pages.indices {
            var next: String?
            repeat {
                let items: [ResourceID]
                if index == 0 {
                    let page = try reads.readings(
                        of: reader.readerKey, filter, bestFirst: bestFirst, after: next, limit: limit
                    ) { _, _ in nil }
                    items = page.items.compactMap { if case .read(let reading) = $0 { reading.id } else { nil } }
                    next = page.next
                } else {
                    let page = try reads.cards(
                        of: reader.readerKey, filter, bestFirst: bestFirst, after: next, limit: limit
                    ) { _, _ in nil }
                    items = page.items.compactMap { if case .read(let card) = $0 { card.id } else { nil } }
                    next = page.next
                }
                #expect(items.count <= limit)
                pages[index] += items
            } while next != nil
        }
        // With a short deadline windows end at arbitrary places.
        #expect(isHurried ? Set(pages[0]) == Set(pages[1]) : pages[0] == pages[1], "cards are those of the readings")
        #expect(Set(pages[1]).count == pages[1].count)
        return pages[0]
    }

    /// Returns a connection whose pages end only at their limit, or at once.
    private func reads(_ fixture: StoreFixture, isHurried: Bool = false) throws -> ReadConnection {
        try ReadConnection(
            path: fixture.directory + "/lectern.sqlite", pageMicrosecondsMax: isHurried ? 0 : 600_000_000)
    }

    @Test(
        "A search returns the matches, best or newest first, for any page sizes",
        arguments: TestBudget.seeds(1, long: 2))
    func oracle(_ seed: UInt64) throws {
        let fixture = try StoreFixture()
        var random = SeededGenerator(seed: seed)
        let words = ["rope", "ropes", "Äb", "abc", "雪国", "O'Brien", "the", "sci-fi"]
        func text() -> String {
            (0..<Int.random(in: 1...3, using: &random)).map { _ in words.randomElement(using: &random) ?? "" }
                .joined(separator: " ")
        }
        let (ada, ben) = (try fixture.addReader("Ada"), try fixture.addReader("Ben"))
        let books = try (0..<20).map { _ in
            try fixture.addBook("{\"title\": \"\(text())\", \"authors\": [\"\(text())\"]}")
        }
        var readings: [(id: ResourceID, book: Book)] = []
        let (reads, hurried) = (try reads(fixture), try reads(fixture, isHurried: true))
        for index in 0..<50 {
            let book = try #require(books.randomElement(using: &random))
            readings.insert((try fixture.createReading(book, ada), try #require(try reads.book(book))), at: 0)
            if index % 3 == 0 { _ = try fixture.createReading(book, ben) }
        }
        for asked in ["rop", "rope", "ab", "雪", "obrien the", "scifi", "the", "zebra", "a"] {
            let query = try #require(SearchQuery(asked))
            let filter = ListFilter.all.matching(query)
            let found = readings.filter { query.matches(SearchedWords(title: $0.book.title, authors: $0.book.authors)) }
            let relevance = BookRelevance(query)
            let scored = found.enumerated().map { index, reading in
                let words = SearchedWords(title: reading.book.title, authors: reading.book.authors)
                return (id: reading.id, score: relevance.score(of: words), index: index)
            }
            let best = scored.sorted { $0.score != $1.score ? $0.score > $1.score : $0.index < $1.index }.map(\.id)
            for limit in [1, 7, 100] {
                #expect(try ids(reads, filter, of: ada, bestFirst: true, limit: limit) == best, "\(asked) \(limit)")
                #expect(try ids(reads, filter, of: ada, bestFirst: false, limit: limit) == found.map(\.id), "\(asked)")
                let all = try ids(hurried, filter, of: ada, bestFirst: true, limit: limit, isHurried: true)
                #expect(all.count == best.count && Set(all) == Set(best), "\(asked), in a hurry")
                #expect(try ids(hurried, filter, of: ada, bestFirst: false, limit: limit) == found.map(\.id))
            }
            let book = readings[0].book
            let ofBook = ListFilter.having("state", ReadingState.reading).having("book", book.id).matching(query)
            #expect(
                try ids(reads, ofBook, of: ada, bestFirst: true, limit: 9)
                    == found.filter { $0.book.id == book.id }.map(\.id))
        }
    }

    @Test("A search with more matches than are ranked at once is ranked in windows, the newest first")
    func windows() throws {
        let fixture = try StoreFixture()
        let ada = try fixture.addReader("Ada")
        let (plain, exact) = (
            try fixture.addBook(#"{"title": "On ropes and boats"}"#), try fixture.addBook(#"{"title": "Rope"}"#)
        )
        var expected: [ResourceID] = []
        for index in 0..<300 { expected.append(try fixture.createReading(index % 100 == 9 ? exact : plain, ada)) }
        expected.reverse()
        let reads = try reads(fixture)
        func ranked(_ window: ArraySlice<ResourceID>) throws -> [ResourceID] {
            let isExact = try Dictionary(
                uniqueKeysWithValues: window.map { ($0, try reads.reading($0)?.book == exact) })
            return window.filter { isExact[$0] == true } + window.filter { isExact[$0] == false }
        }
        let all = try ranked(expected[..<256]) + ranked(expected[256...])
        let filter = ListFilter.all.matching(SearchQuery("rope"))
        for limit in [3, 64, 100] {
            #expect(try ids(reads, filter, of: ada, bestFirst: true, limit: limit) == all, "\(limit)")
        }
    }

    @Test("A cursor of one order is invalid in the other, and its numbers are validated")
    func cursors() throws {
        let fixture = try StoreFixture()
        let ada = try fixture.addReader("Ada")
        for _ in 0..<3 { _ = try fixture.createReading(try fixture.addBook(), ada) }
        let reads = try fixture.reads()
        let filter = ListFilter.all.matching(SearchQuery("emma"))
        func next(_ bestFirst: Bool, after cursor: String? = nil) throws -> String? {
            try reads.readings(
                of: ada.readerKey, filter, bestFirst: bestFirst, after: cursor, limit: 1
            ) { _, _ in nil }.next
        }
        let (best, newest) = (try #require(try next(true)), try #require(try next(false)))
        #expect(throws: RequestError.self) { try next(true, after: newest) }
        #expect(throws: RequestError.self) { try next(false, after: best) }
        // The reader's own order has the same cursors with and without words.
        #expect(
            try reads.readings(of: ada.readerKey, .all, after: newest, limit: 9) { _, _ in nil }.items.count
                == 2)
        let list = ListPageCursor.List.search(of: .reading)
        for numbers: [Int64] in [
            [.min, .min, .min], [.max, .max, .max], [-1, .max, .min], [-1, 0, 0], [0, .min, .max], [5, 1, 0], [0, 0],
            [-1, -1, 0] + (0...12).map { $0 },
        ] {
            for key: Int64 in [0, 1, .max] {
                do throws(RequestError) {
                    _ = try reads.readings(
                        of: ada.readerKey, filter, bestFirst: true,
                        after: ListPageCursor(list, .integers(numbers), key: key).text, limit: 9
                    ) { _, _ in nil }
                } catch {
                    guard case .refused(.foreignCursor, _) = error else { throw error }
                }
            }
        }
    }
}
