import Model
import SharedByTests
import Testing

@testable import Store

@Suite("Relevance")
struct RelevanceTests {
    /// Returns the titles that a search finds, page by page.
    private func pages(_ reads: ReadConnection, _ query: String, limit: Int) throws -> [[String]] {
        var filter = BookFilter()
        filter.search = SearchQuery(query)
        var pages: [[String]] = []
        var cursor: String?
        repeat {
            let page = try reads.books(
                filter, order: .relevance, descending: false, after: cursor, limit: limit
            ) { _, _ in nil }
            pages.append(page.items.compactMap { if case .read(let book) = $0 { book.title } else { nil } })
            cursor = page.next
        } while cursor != nil
        return pages
    }

    private func add(_ titles: [String], to fixture: borrowing StoreFixture) throws {
        for title in titles { _ = try fixture.addBook("{\"title\": \"\(title)\"}") }
    }

    /// Returns a store with enough time for whole pages, however slow the machine is.
    private static func fixture() throws -> StoreFixture {
        var configuration = StoreFixture.configuration
        configuration.pageMicrosecondsMax = 60_000_000
        return try StoreFixture(configuration)
    }

    /// The titles of four windows of matches, with the best matches at the end.
    private static let titles =
        (0..<900).map { "Many a word \($0)" } + ["Word", "Words of love", "A word in between"]

    @Test(
        "For any number of matches and any page size each book is returned once, with title matches first")
    func windows() throws {
        let fixture = try Self.fixture()
        try add(Self.titles, to: fixture)
        // Each page ranks a new window: small pages mean many windows.
        for limit in (TestBudget.isLong ? [1, 7] : [30]) + [100, 256, 257, 1000] {
            let found = try pages(fixture.reads(), "word", limit: limit)
            #expect(Array(found.joined().prefix(2)) == ["Word", "Words of love"])
            #expect(found.joined().sorted() == Self.titles.sorted())
            #expect(found.dropLast().allSatisfy { $0.count == limit })
        }
    }

    @Test("A page that reaches its time limit is short, and the following ones return the rest")
    func short() throws {
        var configuration = StoreFixture.configuration
        configuration.pageMicrosecondsMax = -1
        let fixture = try StoreFixture(configuration)
        try add(Self.titles, to: fixture)
        var filter = BookFilter()
        filter.search = SearchQuery("word")
        for order in BookOrder.allCases {
            var (found, count) = ([String](), 0)
            var cursor: String?
            repeat {
                let page = try fixture.reads().books(
                    filter, order: order, descending: false, after: cursor, limit: 100
                ) { _, _ in nil }
                found += page.items.compactMap { if case .read(let book) = $0 { book.title } else { nil } }
                (cursor, count) = (page.next, count + 1)
            } while cursor != nil
            #expect(found.sorted() == Self.titles.sorted(), "\(order)")
            #expect(order != .relevance || count > Self.titles.count / 256)
        }
    }

    @Test("A window that has grown since its cursor is cut, and each item is still returned once")
    func grown() throws {
        var configuration = StoreFixture.configuration
        configuration.pageMicrosecondsMax = -1
        let fixture = try StoreFixture(configuration)
        let reads = try fixture.reads()
        var filter = BookFilter()
        filter.search = SearchQuery("word")
        func page(after cursor: String?, limit: Int) throws -> (titles: [String], next: String?) {
            let page = try reads.books(
                filter, order: .relevance, descending: false, after: cursor, limit: limit
            ) { _, _ in nil }
            return (page.items.compactMap { if case .read(let book) = $0 { book.title } else { nil } }, page.next)
        }
        let titles = (0..<1200).map { "Many a word \($0)" }
        try add(Array(titles.prefix(10)), to: fixture)
        var (found, cursor) = try page(after: nil, limit: 5)
        try add(Array(titles.dropFirst(10)), to: fixture)
        while let next = cursor {
            let more = try page(after: next, limit: titles.count)
            #expect(more.titles.count <= 1024)
            (found, cursor) = (found + more.titles, more.next)
        }
        #expect(found.sorted() == titles.sorted())
    }

    @Test("Of equally good matches the books with more readers come first, from the fourth reader on")
    func readers() throws {
        let fixture = try Self.fixture()
        try add(["P common tale", "Q common tale", "R common tale"], to: fixture)
        let reads = try fixture.reads()
        let ids = try ["P common", "Q common", "R common"].map { title in
            var filter = BookFilter()
            filter.search = SearchQuery("\(title) tale")
            let page = try reads.books(filter, order: .relevance, descending: false, after: nil, limit: 1) { _, _ in nil
            }
            guard case .read(let book)? = page.items.first else { throw RequestError.notFound }
            return book.id
        }
        func order() throws -> String {
            try pages(reads, "common", limit: 9).joined().map { String($0.prefix(1)) }.joined()
        }
        var readings: [(Viewer, ResourceID)] = []
        for index in 0..<4 {
            #expect(try order() == "PQR", "\(index) readers")
            let reader = try fixture.addReader("R\(index)")
            readings.append((reader, try fixture.createReading(ids[2], reader)))
            // A second reading does not count as another reader.
            readings.append((reader, try fixture.createReading(ids[2], reader)))
        }
        #expect(try order() == "RPQ")
        for (reader, reading) in readings.suffix(2) { try fixture.run(Command.deleteReading(reading).by(reader)) }
        #expect(try order() == "PQR")
        #expect(try Store.checkOpen(fixture).isEmpty)
    }
}
