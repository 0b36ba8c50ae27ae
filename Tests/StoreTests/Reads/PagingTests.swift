import Glibc
import Model
import SharedByTests
import Synchronization
import Testing

@testable import Store

@Suite("Pages")
struct PagingTests {
    /// Returns all pages of a list.
    private func all<Item>(_ page: (String?) throws -> ListPage<Item>) rethrows -> [[Item]] {
        var pages: [[Item]] = []
        var cursor: String?
        repeat {
            let next = try page(cursor)
            pages.append(next.items)
            cursor = next.next
        } while cursor != nil && pages.count < 10_000
        return pages
    }

    private func books(
        _ reads: ReadConnection, _ order: BookOrder, _ descending: Bool, limit: Int, after: String?,
        filter: BookFilter = BookFilter()
    ) throws -> ListPage<Book> {
        let page = try reads.books(filter, order: order, descending: descending, after: after, limit: limit) { _, _ in
            nil
        }
        return ListPage(items: page.items.compactMap(\.value), next: page.next)
    }

    private func nothing(_ id: ResourceID, _ version: Int64) -> [UInt8]? { nil }

    static let orders = BookOrder.allCases.filter { $0 != .relevance }.flatMap { [($0, false), ($0, true)] }

    @Test("Every order returns each book once, sorted, for any page size", arguments: orders)
    func order(_ order: BookOrder, _ descending: Bool) throws {
        let fixture = try StoreFixture()
        var random = SeededGenerator(seed: 3)
        for index in 0..<60 {
            let year = index % 3 == 0 ? "null" : String(Int.random(in: -5...5, using: &random))
            let authors = ["[]", "[\"Bo\"]", "[\"Ä B\", \"C\"]", "[\"A B\"]", "[\"a bo\"]"][index % 5]
            _ = try fixture.addBook(
                """
                {"title": "\(["b", "a", "Ä", "c c"][index % 4])", "publishedYear": \(year), "authors": \(authors)}
                """)
        }
        let reads = try fixture.reads()
        let whole = try books(reads, order, descending, limit: 100, after: nil).items
        #expect(whole.count == 60)
        let keys = whole.map { book in
            let text =
                switch order {
                case .title, .relevance: book.sortTitle
                case .author: book.sortAuthor
                case .publishedYear: String(20_000 + (book.publishedYear ?? -1000))
                case .createdAt: ""
                case .updatedAt: String(book.updatedAt?.milliseconds ?? 0)
                }
            return Array(text.utf8) + [0] + String(100_000 + book.key).utf8
        }
        let (first, second) =
            descending ? (keys.dropFirst()[...], keys.dropLast()) : (keys.dropLast(), keys.dropFirst())
        #expect(zip(first, second).allSatisfy { $0.lexicographicallyPrecedes($1) })
        for limit in [1, 7, 20, 59, 60, 61] {
            let pages = try all { try books(reads, order, descending, limit: limit, after: $0) }
            #expect(pages.joined().map(\.id) == whole.map(\.id))
            #expect(pages.dropLast().allSatisfy { $0.count == limit })
            #expect(pages.last?.isEmpty == false)
        }
    }

    @Test("A list paged beside writers returns all earlier rows, and none twice")
    func concurrentInserts() throws {
        let fixture = try StoreFixture()
        var ids: Set<ResourceID> = []
        for index in 0..<200 { ids.insert(try fixture.addBook("{\"title\": \"T\(index * 7919 % 200)\"}")) }
        let reads = try fixture.reads()
        var seen: [ResourceID] = []
        var cursor: String?
        repeat {
            let page = try books(reads, .title, false, limit: 9, after: cursor)
            seen += page.items.map(\.id)
            cursor = page.next
            for _ in 0..<3 { _ = try fixture.addBook("{\"title\": \"T\(seen.count * 31 % 200)\"}") }
        } while cursor != nil
        #expect(Set(seen).count == seen.count)
        #expect(ids.isSubset(of: seen))
    }

    @Test("Readings, cards, entries, readers and tokens are complete, newest first")
    func otherLists() throws {
        let fixture = try StoreFixture()
        let viewer = try fixture.addReader("Ada")
        let other = try fixture.addReader("Grace")
        let book = try fixture.addBook()
        let another = try fixture.addBook(#"{"title": "Ulysses"}"#)
        var readings: [ResourceID] = []
        for index in 0..<25 {
            let id = try fixture.createReading(index % 5 == 0 ? another : book, viewer)
            readings.append(id)
            if index % 3 == 0 { _ = try fixture.updateReading(id, #"{"state": "paused"}"#, viewer) }
            _ = try fixture.createReading(book, other)
        }
        let reads = try fixture.reads()
        let key = viewer.readerKey
        func pages(_ filter: ListFilter) throws -> [ResourceID] {
            let found = try all { try reads.readings(of: key, filter, after: $0, limit: 4, known: nothing) }
            let cards = try all { try reads.cards(of: key, filter, after: $0, limit: 4, known: nothing) }
            #expect(found.joined().map(\.value?.id) == cards.joined().map(\.value?.id))
            return found.joined().compactMap(\.value?.id)
        }
        #expect(try pages(.all) == readings.reversed())
        #expect(try pages(.having("state", ReadingState.paused)).count == 9)
        #expect(try pages(.having("book", another)).count == 5)
        #expect(try pages(.having("state", ReadingState.paused).having("book", another)).count == 2)
        #expect(try pages(.having("book", ResourceID(high: 0, low: 1))).isEmpty)
        for index in 0..<30 {
            _ = try fixture.record(
                "{\"progress\": 0.5, \"happenedAt\": \"2026-01-\(10 + index * 7 % 15)T00:00:00Z\"}", readings[1], viewer
            )
        }
        let readingKey = try #require(try reads.reading(readings[1])?.key)
        let entries = try all { try reads.entries(of: readingKey, after: $0, limit: 7, known: nothing) }.joined()
            .compactMap(\.value)
        #expect(entries.count == 30 && Set(entries.map(\.id)).count == 30)
        #expect(
            zip(entries, entries.dropFirst()).allSatisfy { ($0.happenedAt, $0.key) > ($1.happenedAt, $1.key) })
        #expect(try all { try reads.readers(after: $0, limit: 1) }.map(\.count) == [1, 1, 1])
        #expect(try all { try ReadConnection.tokens.page(reads, of: 0, after: $0, limit: 1) }.map(\.count) == [1, 1])
    }

    @Test("A card in a known version is not read, and a changed one is")
    func knownCards() throws {
        let fixture = try StoreFixture()
        let viewer = try fixture.addReader("Ada")
        let reading = try fixture.createReading(fixture.addBook(), viewer)
        let reads = try fixture.reads()
        let card = try #require(try firstCard(reads, viewer, known: nothing).value)
        let held: CachedOrReadItem<BookCard>.Known = { id, version in
            id == reading && version == card.version ? card.encoded() : nil
        }
        guard case .known(card.encoded()) = try firstCard(reads, viewer, known: held) else {
            Issue.record("a known card was read")
            return
        }
        _ = try fixture.record(#"{"progress": 0.5}"#, reading, viewer)
        let newer = try #require(try firstCard(reads, viewer, known: held).value)
        #expect(newer.version > card.version && newer.reading.progress.millionths == 500_000)
    }

    private func firstCard(
        _ reads: ReadConnection, _ viewer: Viewer, known: CachedOrReadItem<BookCard>.Known
    ) throws -> CachedOrReadItem<BookCard> {
        try #require(
            try reads.cards(of: viewer.readerKey, .all, after: nil, limit: 1, known: known).items.first)
    }

    @Test("A cursor that the list did not return is refused")
    func foreign() throws {
        let fixture = try StoreFixture()
        for _ in 0..<3 { _ = try fixture.addBook() }
        let reads = try fixture.reads()
        let title = try #require(try books(reads, .title, false, limit: 1, after: nil).next)
        #expect(try books(reads, .title, true, limit: 1, after: "").items.count == 1)
        #expect(throws: RequestError.self) { try books(reads, .author, false, limit: 1, after: title) }
        let year = try #require(try books(reads, .publishedYear, false, limit: 1, after: nil).next)
        let texts = [
            year, String(title.dropLast()), "=", "AQ", "AA==", "ééé", " ", "AQAAAAAAAAAA\u{0}",
            String(repeating: "A", count: 9000), "AYAAAAAAAAAA", title + "\n",
            // A cursor from the time when titles were sorted by other bytes.
            "AQAAAAAAAAABYg",
        ]
        for text in texts {
            for order in [BookOrder.title, .author] {
                #expect(throws: RequestError.self, "\(text)") { try books(reads, order, false, limit: 1, after: text) }
            }
        }
        #expect(throws: RequestError.self) {
            try reads.readings(of: 1, .all, after: title, limit: 1, known: nothing)
        }
        #expect(throws: RequestError.self) { try reads.entries(of: 1, after: title, limit: 1, known: nothing) }
        var random = SeededGenerator(seed: 8)
        for _ in 0..<2000 {
            var bytes = Array(title.utf8)
            bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 32...126, using: &random)
            // The cursor may be refused, but must never trap.
            _ = try? books(reads, .title, false, limit: 1, after: String(decoding: bytes, as: UTF8.self))
        }
    }

    @Test("A very long title fits its cursor")
    func longTitle() throws {
        let fixture = try StoreFixture()
        let title = String(repeating: "\u{10348}", count: 499)
        for _ in 0..<2 { _ = try fixture.addBook("{\"title\": \"\(title)\"}") }
        let reads = try fixture.reads()
        let first = try books(reads, .title, false, limit: 1, after: nil)
        #expect(try books(reads, .title, false, limit: 1, after: first.next).items.count == 1)
    }

    @Test("A book in a known version is not read")
    func known() throws {
        let fixture = try StoreFixture()
        let id = try fixture.addBook()
        let version = try #require(try fixture.reads().book(id)?.version)
        let page = try fixture.reads().books(BookFilter(), order: .title, descending: false, after: nil, limit: 5) {
            $0 == id && $1 == version ? [1, 2, 3] : nil
        }
        guard case .known([1, 2, 3]) = page.items[0] else {
            Issue.record("it was read")
            return
        }
    }
}

extension CachedOrReadItem {
    /// The value that was read, or `nil` for one that was cached.
    fileprivate var value: Value? { if case .read(let value) = self { value } else { nil } }
}
