import Model
import SharedByTests
import Synchronization
import Testing

@testable import Store

@Suite("The rebuilding of the search index", .serialized, .ownThreads)
struct SearchIndexTests {
    /// Returns a store with numbered books and as many notes, whose index a migration has emptied, and its path.
    private func fixture(books: Int) throws -> (fixture: StoreFixture, path: String) {
        let fixture = try StoreFixture()
        let viewer = try fixture.administrator
        for number in 0..<books {
            let id = try fixture.addBook("{\"title\": \"Book n\(number)\", \"authors\": [\"Ann Author\"]}")
            try fixture.addNote(id, nil, "Note m\(number)", viewer)
        }
        fixture.store.close()
        let path = fixture.directory + "/lectern.sqlite"
        try TestDatabase.execute(
            path,
            """
            DELETE FROM books_words; DELETE FROM notes_words; DELETE FROM words; UPDATE books SET sort_title = '', sort_author = '';
            DELETE FROM meta WHERE name = 'fold'
            """)
        return (fixture, path)
    }

    private func titles(_ fixture: StoreFixture, _ text: String?) throws -> [String] {
        var filter = BookFilter()
        filter.search = text.flatMap { SearchQuery($0, begins: false) }
        let page = try fixture.reads().books(filter, order: .title, descending: false, after: nil, limit: 1000) {
            _, _ in
            nil
        }
        return page.items.compactMap { item in if case .read(let book) = item { book.title } else { nil } }
    }

    @Test("A start rebuilds an outdated index before it serves, reports it, and makes a new epoch, once")
    func outdated() throws {
        var (fixture, _) = try fixture(books: 40)
        let epoch = fixture.store.epoch
        var given = ""
        #expect(try Store.check(directory: fixture.directory) { given += $0 } == [])
        #expect(given.contains("The next start rebuilds the search index"))
        let lines = Mutex<[String]>([])
        let store = try Store.open(
            directory: fixture.directory, configuration: StoreFixture.configuration,
            report: { notice in lines.withLock { $0.append(notice.text) } })
        #expect(store.epoch != epoch && store.epochReason != nil)
        store.close()
        let received = lines.withLock { $0 }
        #expect(received.first == "rebuilding the search index for this version")
        #expect(received.last?.contains("the search index is complete, after") == true)
        try StoreFixture.reopen(&fixture)
        #expect(fixture.store.epoch == store.epoch)
        #expect(try titles(fixture, nil) == (0..<40).map { "Book n\($0)" } && titles(fixture, "author").count == 40)
        #expect(try Store.checkOpen(fixture).isEmpty)
    }

    @Test("An interrupted rebuild starts again, and stale rows that it had passed are found")
    func interrupted() throws {
        var (fixture, path) = try fixture(books: 20)
        try StoreFixture.reopen(&fixture)
        fixture.store.close()
        try TestDatabase.execute(
            path,
            """
            DELETE FROM meta WHERE name = 'fold'; DELETE FROM books_words WHERE rowid IN (SELECT max(rowid) FROM books_words);
            UPDATE books SET sort_title = 'x' WHERE key = 3
            """)
        try StoreFixture.reopen(&fixture)
        #expect(try titles(fixture, "book").count == 20)
        #expect(try titles(fixture, nil).sorted() == (0..<20).map { "Book n\($0)" }.sorted())
        #expect(try Store.checkOpen(fixture).isEmpty)
    }

    @Test("A new database is complete, and needs no new epoch")
    func new() throws {
        var fixture = try StoreFixture()
        let epoch = fixture.store.epoch
        try StoreFixture.reopen(&fixture)
        #expect(try fixture.store.epoch == epoch && titles(fixture, nil) == [])
    }
}
