import Model
import SharedByTests
import Synchronization
import Testing

@testable import Store

@Suite("The renewal of the search index", .serialized, .ownThreads)
struct RenewalTests {
    private static func configuration(rows: Int) -> StoreConfiguration {
        var configuration = StoreFixture.configuration
        configuration.renewalRowsMax = rows
        return configuration
    }

    /// Removes from a store's database what a migration of the index removes.
    private func strip(_ shop: StoreFixture) throws {
        shop.store.close()
        try TestDatabase.execute(
            shop.directory + "/lectern.sqlite",
            """
            DELETE FROM books_words; DELETE FROM notes_words; DELETE FROM words; UPDATE books SET sort_title = '', sort_author = '';
            DELETE FROM meta WHERE name = 'fold'
            """)
    }

    /// Renews a number of slices of a size, ends as a killed process would, and returns the log's lines.
    @discardableResult
    private func renew(_ slices: Int, rows: Int, _ shop: StoreFixture) throws -> [String] {
        shop.store.close()
        let said = Mutex<[String]>([])
        try renew(slices, rows: rows, shop.directory) { line in said.withLock { $0.append(line.text) } }
        return said.withLock { $0 }
    }

    private func renew(
        _ slices: Int, rows: Int, _ directory: String, say: @escaping @Sendable (OperatorNotice) -> Void
    ) throws {
        let connection = try Connection.forWriting(DataDirectory(path: directory))
        var renewal = try SearchIndexRenewal(
            connection, Self.configuration(rows: rows), StoreCounters(), isAwaited: { false }, say: say)
        for _ in 0..<slices {
            guard try renewal.runMaintenance() else { return }
        }
    }

    /// Returns a store with numbered books, as many notes, and no index, in which nothing has been renewed.
    private func shop(books: Int) throws -> (shop: StoreFixture, books: [ResourceID]) {
        var shop = try StoreFixture()
        let viewer = try shop.administrator
        let ids = try (0..<books).map { number in
            let id = try shop.addBook("{\"title\": \"Book n\(number)\", \"authors\": [\"Ann Author\"]}")
            try shop.addNote(id, nil, "Note m\(number)", viewer)
            return id
        }
        try strip(shop)
        try StoreFixture.reopen(&shop, Self.configuration(rows: 0))
        return (shop, ids)
    }

    private func titles(_ shop: StoreFixture, _ text: String?, _ order: BookOrder = .title) throws -> [String] {
        var filter = BookFilter()
        filter.search = text.flatMap { SearchQuery($0, begins: false) }
        let page = try shop.reads().books(filter, order: order, descending: false, after: nil, limit: 1000) { _, _ in
            nil
        }
        return page.items.compactMap { item in if case .read(let book) = item { book.title } else { nil } }
    }

    private func notes(_ shop: StoreFixture, _ text: String) throws -> [String] {
        var filter = NoteFilter()
        filter.search = SearchQuery(text, begins: false)
        let viewer = try shop.administrator
        return try shop.reads().notes(of: nil, seenBy: viewer.readerKey, filter, after: nil, limit: 1000).items
            .map(\.body)
    }

    /// Returns the percentage in the refusal of a read, or `nil` if it is not refused.
    private func percent(_ read: () throws -> [String]) throws -> String? {
        do { _ = try read() } catch LecternError.unavailable(.searchRenewing, let why, _) {
            return why.firstMatch(of: #/(\d+) % is done/#).map { String($0.1) }
        }
        return nil
    }

    @Test(
        "The renewal of the search index continues where the process ended, and refuses incomplete searches until its end"
    )
    func killed() throws {
        var (shop, _) = try shop(books: 40)
        #expect(try percent { try titles(shop, nil) } == "0")
        // One slice starts the renewal, and the others take five of the 80 rows each.
        try renew(1 + 10, rows: 5, shop)
        var said = ""
        #expect(try Store.check(directory: shop.directory) { said += $0 } == [])
        #expect(said.contains("62 %"))
        try StoreFixture.reopen(&shop, Self.configuration(rows: 0))
        #expect(try percent { try titles(shop, nil) } == "62")
        #expect(try percent { try titles(shop, "book") } == "62" && percent { try notes(shop, "note") } == "62")
        #expect(try titles(shop, nil, .createdAt).count == 40)
        #expect(shop.store.counters.searchPercent == 62)
        let lines = try renew(1000, rows: 5, shop)
        #expect(lines.first?.contains("index from 62 %, about 80 books and notes") == true)
        #expect(
            lines.dropFirst().dropLast() == [
                "rebuilding the search index: 75 %, 60 of 80 books and notes",
                "rebuilding the search index: 81 %, 65 of 80 books and notes",
                "rebuilding the search index: 93 %, 75 of 80 books and notes",
            ])
        #expect(lines.last?.contains("complete again, after") == true)
        try StoreFixture.reopen(&shop)
        #expect(try titles(shop, "book").count == 40 && notes(shop, "note").count == 40)
        #expect(try titles(shop, nil) == (0..<40).map { "Book n\($0)" })
        #expect(try Store.checkOpen(shop).isEmpty)
    }

    @Test("Renewed rows are checked, and rows that are not yet renewed are no damage")
    func checked() throws {
        let (shop, _) = try shop(books: 20)
        try renew(1 + 2, rows: 5, shop)
        let path = shop.directory + "/lectern.sqlite"
        try TestDatabase.execute(path, "UPDATE books SET sort_title = 'x' WHERE key IN (3, 15)")
        #expect(
            try Store.check(directory: shop.directory)
                == ["search index: 1 books have other words than their titles and authors"])
    }

    @Test("Rows written during the renewal are found, whether before or after its position", arguments: [1, 2, 3])
    func meanwhile(_ seed: UInt64) throws {
        var (shop, books) = try shop(books: 20)
        var random = SeededGenerator(seed: seed)
        let viewer = try shop.administrator
        let readers = try (0..<9).map { try shop.addReader("Reader \($0)") }
        var held: Set<ResourceID> = []
        var names = Dictionary(uniqueKeysWithValues: books.enumerated().map { ($1, "Book n\($0)") })
        for round in 0..<12 {
            for step in 0..<6 {
                let book = try #require(books.randomElement(using: &random))
                switch Int.random(in: 0..<5, using: &random) {
                case 0:
                    let name = "New r\(round)s\(step)"
                    let id = try shop.addBook("{\"title\": \"\(name)\"}")
                    books.append(id)
                    names[id] = name
                case 1:
                    names[book] = "Other r\(round)s\(step)"
                    _ = try shop.patchBook(book, "{\"title\": \"\(names[book] ?? "")\"}")
                case 2:
                    // The readings are so many that the book's place in the index changes.
                    for reader in readers { _ = try shop.startReading(book, reader) }
                    held.insert(book)
                case 3 where !held.contains(book):
                    do { try shop.run(Command.deleteBook(book).by(viewer)) } catch { continue }
                    books.removeAll { $0 == book }
                    names[book] = nil
                default:
                    try shop.addNote(book, nil, "Thought r\(round)s\(step)", viewer)
                    held.insert(book)
                }
            }
            try renew(round == 0 ? 2 : 1, rows: 5, shop)
            #expect(try Store.check(directory: shop.directory) == [])
            try StoreFixture.reopen(&shop, Self.configuration(rows: 0))
        }
        try StoreFixture.reopen(&shop)
        #expect(eventually { shop.store.counters.searchPercent == 100 })
        for name in names.values { #expect(try titles(shop, name) == [name]) }
        #expect(try titles(shop, nil).sorted() == names.values.sorted())
        #expect(try Store.checkOpen(shop).isEmpty)
    }

    @Test("Notes changed and deleted during the renewal are found by their present words")
    func notesMeanwhile() throws {
        var (shop, _) = try shop(books: 8)
        let viewer = try shop.administrator
        for (slices, number) in [(1 + 8 + 1, 0), (1, 1), (1, 2)] {
            try renew(slices, rows: 1, shop)
            try StoreFixture.reopen(&shop, Self.configuration(rows: 0))
            let all = try shop.reads().notes(of: nil, seenBy: viewer.readerKey, NoteFilter(), after: nil, limit: 100)
            // The renewal has passed the oldest note, but not the newest.
            for (note, which) in [(all.items.last, "old"), (all.items.first, "young")] {
                let id = try #require(note).id
                if number == 1 {
                    try shop.run(Command.deleteNote(id).by(viewer))
                } else {
                    let patch = try NotePatch(json("{\"body\": \"changed \(which)\(number)\"}"))
                    try shop.run(Command.patchNote(id, patch).by(viewer))
                }
            }
            #expect(try Store.checkOpen(shop) == [])
        }
        try StoreFixture.reopen(&shop)
        #expect(eventually { shop.store.counters.searchPercent == 100 })
        #expect(try Set(notes(shop, "changed")) == ["changed old2", "changed young2"])
        #expect(try notes(shop, "note").count == 4)
        #expect(try Store.checkOpen(shop).isEmpty)
    }

    @Test("A renewal that another program began starts again, and a new database needs none")
    func anew() throws {
        var (shop, _) = try shop(books: 10)
        try renew(1 + 15, rows: 1, shop)
        try TestDatabase.execute(
            shop.directory + "/lectern.sqlite",
            "UPDATE meta SET value = value + 1 WHERE name = 'renewing'; DELETE FROM books_words")
        try StoreFixture.reopen(&shop)
        #expect(eventually { shop.store.counters.searchPercent == 100 })
        #expect(try titles(shop, "book").count == 10)
        #expect(try Store.checkOpen(shop).isEmpty)
        let new = try StoreFixture(Self.configuration(rows: 0))
        #expect(try titles(new, nil) == [] && new.store.counters.searchPercent == 100)
    }
}
