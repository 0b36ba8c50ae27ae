import Model
import SharedByTests
import Synchronization
import Testing

@testable import Store

@Suite("The rebuilding of the search index", .serialized, .ownThreads)
struct SearchIndexTests {
    /// Returns a store with numbered books and as many notes, whose index a migration has emptied, and its path.
    private func shop(books: Int) throws -> (shop: StoreFixture, path: String) {
        let shop = try StoreFixture()
        let viewer = try shop.administrator
        for number in 0..<books {
            let id = try shop.addBook("{\"title\": \"Book n\(number)\", \"authors\": [\"Ann Author\"]}")
            try shop.addNote(id, nil, "Note m\(number)", viewer)
        }
        shop.store.close()
        let path = shop.directory + "/lectern.sqlite"
        try TestDatabase.execute(
            path,
            """
            DELETE FROM books_words; DELETE FROM notes_words; DELETE FROM words; UPDATE books SET sort_title = '', sort_author = '';
            DELETE FROM meta WHERE name = 'fold'
            """)
        return (shop, path)
    }

    private func titles(_ shop: StoreFixture, _ text: String?) throws -> [String] {
        var filter = BookFilter()
        filter.search = text.flatMap { SearchQuery($0, begins: false) }
        let page = try shop.reads().books(filter, order: .title, descending: false, after: nil, limit: 1000) { _, _ in
            nil
        }
        return page.items.compactMap { item in if case .read(let book) = item { book.title } else { nil } }
    }

    @Test("A start rebuilds an outdated index before it serves, reports it, and makes a new epoch, once")
    func outdated() throws {
        var (shop, _) = try shop(books: 40)
        let epoch = shop.store.epoch
        var said = ""
        #expect(try Store.check(directory: shop.directory) { said += $0 } == [])
        #expect(said.contains("The next start rebuilds the search index"))
        let lines = Mutex<[String]>([])
        let store = try Store.open(
            directory: shop.directory, configuration: StoreFixture.configuration,
            say: { notice in lines.withLock { $0.append(notice.text) } })
        #expect(store.epoch != epoch && store.epochReason != nil)
        store.close()
        let told = lines.withLock { $0 }
        #expect(told.first == "rebuilding the search index for this version")
        #expect(told.last?.contains("the search index is complete, after") == true)
        try StoreFixture.reopen(&shop)
        #expect(shop.store.epoch == store.epoch)
        #expect(try titles(shop, nil) == (0..<40).map { "Book n\($0)" } && titles(shop, "author").count == 40)
        #expect(try Store.checkOpen(shop).isEmpty)
    }

    @Test("An interrupted rebuild starts again, and stale rows that it had passed are found")
    func interrupted() throws {
        var (shop, path) = try shop(books: 20)
        try StoreFixture.reopen(&shop)
        shop.store.close()
        try TestDatabase.execute(
            path,
            """
            DELETE FROM meta WHERE name = 'fold'; DELETE FROM books_words WHERE rowid IN (SELECT max(rowid) FROM books_words);
            UPDATE books SET sort_title = 'x' WHERE key = 3
            """)
        try StoreFixture.reopen(&shop)
        #expect(try titles(shop, "book").count == 20)
        #expect(try titles(shop, nil).sorted() == (0..<20).map { "Book n\($0)" }.sorted())
        #expect(try Store.checkOpen(shop).isEmpty)
    }

    @Test("A new database is complete, and needs no new epoch")
    func new() throws {
        var shop = try StoreFixture()
        let epoch = shop.store.epoch
        try StoreFixture.reopen(&shop)
        #expect(try shop.store.epoch == epoch && titles(shop, nil) == [])
    }
}
