import JSON
import Model
import SharedByTests
import Testing

@testable import Store

@Suite("Sorted books")
struct SortTests {
    /// The titles with language and authors, in the order of titles.
    static let books: [(title: String, language: String?, authors: [String])] = [
        ("...", nil, []), ("9 Stories", "en", ["J.D. Salinger"]), ("10 Plays", "en", []),
        ("1984", "en", ["George Orwell"]),
        ("20,000 Leagues", "en", ["Verne, Jules"]), ("The Dispossessed", "en", ["Ursula K. Le Guin"]),
        ("Le Dit", "fr-FR", ["Yourcenar"]), ("L'Étranger", "fr", ["Albert Camus"]),
        ("Hobbit", nil, ["J. R. R. Tolkien"]),
        ("The Hobbits", "en", ["J.R.R. Tolkien"]), ("La peste", "en", ["Albert Camus"]),
        ("Łąka", "pl", ["Leśmian, Bolesław"]),
        ("Mosty", "pl", []), ("La Peste", "fr", ["Albert Camus", "Anon"]), ("The Hobbit", nil, ["John Ronald Tolkien"]),
        ("漢字", "ja", ["村上 春樹"]),
    ]

    private func fixture(adding seed: UInt64) throws -> StoreFixture {
        let fixture = try StoreFixture()
        var random = SeededGenerator(seed: seed)
        for (index, book) in Self.books.enumerated().shuffled(using: &random) {
            var json = JSONWriter()
            json.beginObject()
            json.name("title")
            json.string(book.title)
            json.name("language")
            json.value(book.language)
            json.name("authors")
            json.value(book.authors)
            json.name("publishedYear")
            json.value(index % 3 == 0 ? nil : Int32(1900 + index))
            json.endObject()
            _ = try fixture.addBook(String(decoding: json.bytes, as: UTF8.self))
        }
        return fixture
    }

    private func all(
        _ reads: ReadConnection, _ order: BookOrder, _ filter: BookFilter = BookFilter(), descending: Bool = false,
        limit: Int = 100
    ) throws -> [Book] {
        var books: [Book] = []
        var cursor: String?
        repeat {
            let page = try reads.books(filter, order: order, descending: descending, after: cursor, limit: limit) {
                _, _ in nil
            }
            for case .read(let book) in page.items { books.append(book) }
            cursor = page.next
        } while cursor != nil && books.count < 1000
        return books
    }

    @Test(
        "Books are sorted by title without the leading article of their language, and by author with the family name first"
    )
    func orders() throws {
        let reads = try fixture(adding: 1).reads()
        #expect(
            try all(reads, .title).map(\.title) == [
                "...", "9 Stories", "10 Plays", "20,000 Leagues", "1984", "The Dispossessed", "Le Dit", "L'Étranger",
                "Hobbit",
                "The Hobbits", "La peste", "Łąka", "Mosty", "La Peste", "The Hobbit", "漢字",
            ])
        #expect(
            try all(reads, .author).map(\.title) == [
                "...", "10 Plays", "Mosty", "L'Étranger", "La peste", "La Peste", "The Dispossessed", "Łąka", "1984",
                "9 Stories",
                "Hobbit", "The Hobbits", "The Hobbit", "20,000 Leagues", "Le Dit", "漢字",
            ])
    }

    @Test(
        "Each book is returned once in either direction, one by one, for any filter",
        arguments: [BookOrder.title, .author])
    func pages(_ order: BookOrder) throws {
        let reads = try fixture(adding: 2).reads()
        var filters = [BookFilter()]
        for text in ["camus", "tolkien", "the", "la peste", "hob"] {
            var (words, author) = (BookFilter(), BookFilter())
            words.search = SearchQuery(text, begins: true)
            author.author = SearchQuery(text, begins: false)
            filters += [words, author]
        }
        var others = Array(repeating: BookFilter(), count: 4)
        others[0].language = "en"
        others[1].publishedFrom = 1904
        (others[2].language, others[2].publishedTo) = ("fr", 1912)
        (others[3].language, others[3].author) = ("fr", SearchQuery("camus", begins: false))
        let whole = try all(reads, order)
        for filter in filters + others {
            let passing = whole.filter(filter.matches).map(\.id)
            #expect(try all(reads, order, filter, limit: 1).map(\.id) == passing, "\(filter)")
            #expect(
                try all(reads, order, filter, descending: true, limit: 1).map(\.id) == passing.reversed(), "\(filter)")
        }
    }

    @Test("Books move when their title, language or author changes")
    func moves() throws {
        let fixture = try StoreFixture()
        let emma = try fixture.addBook(#"{"title": "The Emma", "authors": ["Jane Austen"]}"#)
        _ = try fixture.addBook(#"{"title": "Ivanhoe", "authors": ["Scott, Walter"]}"#)
        let reads = try fixture.reads()
        func isFirst(_ order: BookOrder) throws -> Bool { try all(reads, order).first?.id == emma }
        #expect(try !isFirst(.title) && isFirst(.author))
        _ = try fixture.updateBook(emma, #"{"language": "en"}"#)
        #expect(try isFirst(.title) && isFirst(.author))
        _ = try fixture.updateBook(emma, #"{"authors": ["Jane Zane"]}"#)
        #expect(try isFirst(.title) && !isFirst(.author))
        _ = try fixture.updateBook(emma, #"{"title": "The Nemma", "authors": []}"#)
        #expect(try !isFirst(.title) && isFirst(.author))
        #expect(try Store.checkOpen(fixture).isEmpty)
    }

    @Test("Books are in order after an upgrade from a version with another sorting")
    func upgrade() throws {
        var fixture = try fixture(adding: 3)
        let orders = try [BookOrder.title, .author].map { try all(fixture.reads(), $0).map(\.id) }
        fixture.store.close()
        try TestDatabase.execute(
            fixture.directory + "/lectern.sqlite",
            "UPDATE books SET sort_title = lower(title), sort_author = ''; DELETE FROM meta WHERE name = 'fold'")
        try StoreFixture.reopen(&fixture)
        #expect(try [BookOrder.title, .author].map { try all(fixture.reads(), $0).map(\.id) } == orders)
        #expect(try Store.checkOpen(fixture).isEmpty)
    }
}
