import JSON
import Model
import SharedByTests
import Testing

@testable import Store

@Suite("Search")
struct SearchTests {
    private func find(_ reads: ReadConnection, _ filter: BookFilter, limit: Int = 1000) throws -> Set<ResourceID> {
        var ids: Set<ResourceID> = []
        for order in BookOrder.allCases {
            var found: [ResourceID] = []
            var next: String?
            repeat {
                let page = try reads.books(filter, order: order, descending: false, after: next, limit: limit) { _, _ in
                    nil
                }
                found += page.items.compactMap { item in if case .read(let book) = item { book.id } else { nil } }
                next = page.next
            } while next != nil
            #expect(Set(found).count == found.count, "a book is in the list twice")
            #expect(ids.isEmpty || ids == Set(found), "the order changes what is found")
            ids = Set(found)
        }
        return ids
    }

    static let searches: [(query: String, titles: Set<String>)] = [
        ("garcia marquez", ["Cien años", "Das Paket"]), ("GARCÍA  márquez", ["Cien años", "Das Paket"]),
        ("garcia mar", ["Cien años", "Das Paket"]), ("mar garcia", ["Cien años", "Das Paket"]),
        ("gabriel anos", ["Cien años"]),
        ("obrien", ["At Swim-Two-Birds"]), ("o'brien swim", ["At Swim-Two-Birds"]),
        ("two birds", ["At Swim-Two-Birds"]),
        ("paket", ["Das Paket"]), ("pak", ["Das Paket"]), ("pakete", []), ("das p", ["Das Paket"]),
        ("c++", ["C++ OR \"NOT\" *", "Cien años"]), ("or not", ["C++ OR \"NOT\" *"]), ("near(", []), ("漢字", ["漢字"]),
        ("漢", ["漢字"]),
    ]

    @Test("Words are found without case and accents, also by their beginnings", arguments: searches)
    func search(_ row: (query: String, titles: Set<String>)) throws {
        let fixture = try StoreFixture()
        let books = [
            (#"Cien años"#, "Gabriel García Márquez"), ("Das Paket", "Gabriel Garcia Marquez"),
            ("At Swim-Two-Birds", "Flann O’Brien"), (#"C++ OR \"NOT\" *"#, "X"), ("漢字", "Y"),
        ]
        for (title, author) in books {
            _ = try fixture.addBook("{\"title\": \"\(title)\", \"authors\": [\"\(author)\"]}")
        }
        var filter = BookFilter()
        filter.search = SearchQuery(row.query, begins: true)
        let reads = try fixture.reads()
        let titles = try find(reads, filter).compactMap { try reads.book($0)?.title }
        #expect(Set(titles) == row.titles)
    }

    @Test("A changed title is found by its new words, and a deleted book not at all")
    func changes() throws {
        let fixture = try StoreFixture()
        let id = try fixture.addBook(#"{"title": "Emma", "authors": ["Jane Austen"]}"#)
        let reads = try fixture.reads()
        func finds(_ text: String) throws -> Bool {
            var filter = BookFilter()
            filter.search = SearchQuery(text, begins: false)
            return try !find(reads, filter).isEmpty
        }
        _ = try fixture.updateBook(id, #"{"title": "Persuasion"}"#)
        #expect(try finds("persuasion austen") && !finds("emma"))
        _ = try fixture.updateBook(id, #"{"authors": ["Anon"]}"#)
        #expect(try finds("persuasion anon") && !finds("austen"))
        _ = try fixture.updateBook(id, #"{"language": "en"}"#)
        #expect(try finds("persuasion anon"))
        try fixture.run(
            Command.deleteBook(id).by(fixture.administrator))
        #expect(try !finds("persuasion") && !finds("anon"))
        #expect(try Store.checkOpen(fixture).isEmpty)
    }

    @Test("The filter and the database agree on every book", arguments: TestBudget.seeds(1, long: 3))
    func agreement(_ seed: UInt64) throws {
        let fixture = try StoreFixture()
        var random = SeededGenerator(seed: seed)
        let words = [
            "ab", "abc", "Äb", "b", "O'Brien", "straße", "STRASSE", "ｆｕｌｌ", "é", "e\u{301}x", "3d", "a-b", "ǅ",
        ]
        func text(_ count: ClosedRange<Int>) -> String {
            (0..<Int.random(in: count, using: &random)).map { _ in words.randomElement(using: &random) ?? "" }
                .joined(separator: " ")
        }
        var books: [Book] = []
        for index in 0..<120 {
            var json = JSONWriter()
            json.beginObject()
            json.name("title")
            json.string(text(1...3))
            json.name("authors")
            json.value((0..<Int.random(in: 0...2, using: &random)).map { _ in text(1...2) })
            json.name("language")
            json.value((["en", "EN", "pt-BR", nil, "en-GB", "eng", "pt-br-x"] as [String?])[index % 7])
            json.name("publishedYear")
            json.value(([nil, 1999, 2000, -5] as [Int32?])[Int.random(in: 0..<4, using: &random)])
            if index % 5 == 0 {
                json.name("isbn")
                json.string("9780306406157")
            }
            json.endObject()
            let id = try fixture.addBook(String(decoding: json.bytes, as: UTF8.self))
            books.append(try #require(try fixture.reads().book(id)))
        }
        let reads = try fixture.reads()
        for _ in 0..<150 {
            var filter = BookFilter()
            func maybe() -> Bool { Int.random(in: 0..<3, using: &random) == 0 }
            if maybe() { filter.search = SearchQuery(text(1...2), begins: Bool.random(using: &random)) }
            if maybe() { filter.author = SearchQuery(text(1...1), begins: Bool.random(using: &random)) }
            if maybe() { filter.isbn = "9780306406157" }
            if maybe() {
                filter.language = ["en", "En", "PT-br", "pt", "EN-gb", "en-G", "de", "\u{212A}o"].randomElement(
                    using: &random)
            }
            if maybe() { filter.publishedFrom = [-6, 1999, 2000, 2001].randomElement(using: &random) }
            if maybe() { filter.publishedTo = [-6, -5, 1999, 2001].randomElement(using: &random) }
            let expected = Set(books.filter(filter.matches).map(\.id))
            #expect(try find(reads, filter) == expected, "\(filter)")
        }
    }

    @Test("The filter and the database agree on any characters", arguments: TestBudget.seeds(1, long: 2))
    func anyCharacters(_ seed: UInt64) throws {
        let fixture = try StoreFixture()
        var random = SeededGenerator(seed: seed)
        let ranges: [ClosedRange<UInt32>] = [
            0x20...0x7E, 0xA0...0x24F, 0x300...0x36F, 0x370...0x6FF, 0x900...0xDFF, 0xE00...0x10FF, 0x1100...0x11FF,
            0x1E00...0x2027, 0x202F...0x2060, 0x2100...0x24FF, 0x3040...0x33FF, 0xAC00...0xD7A3, 0xF900...0xFFDC,
            0x1D400...0x1F9FF,
            0xE0000...0xE01EF,
        ]
        func text(_ count: ClosedRange<Int>) -> String {
            var text = String.UnicodeScalarView()
            for _ in 0..<Int.random(in: count, using: &random) {
                let value = UInt32.random(in: ranges.randomElement(using: &random) ?? 0x20...0x7E, using: &random)
                if let scalar = Unicode.Scalar(value), scalar.properties.generalCategory != .control {
                    text.append(Int.random(in: 0..<5, using: &random) == 0 ? " " : scalar)
                }
            }
            return String(text)
        }
        var books: [Book] = []
        for _ in 0..<150 {
            var json = JSONWriter()
            json.beginObject()
            json.name("title")
            json.string("x" + text(1...20))
            json.endObject()
            let id = try fixture.addBook(String(decoding: json.bytes, as: UTF8.self))
            books.append(try #require(try fixture.reads().book(id)))
        }
        let reads = try fixture.reads()
        for book in books {
            let scalars = Array(book.title.unicodeScalars.dropFirst())
            let start = Int.random(in: 0...scalars.count, using: &random)
            let end = Int.random(in: start...scalars.count, using: &random)
            var asked = String.UnicodeScalarView()
            asked.append(contentsOf: scalars[start..<end])
            var filter = BookFilter()
            filter.search = SearchQuery(String(asked), begins: Bool.random(using: &random))
            let expected = Set(books.filter(filter.matches).map(\.id))
            #expect(try find(reads, filter) == expected, "\(asked.map { String($0.value, radix: 16) })")
        }
    }

    @Test("Words stored by a program with another folding are folded again after the next start, once")
    func renewal() throws {
        var fixture = try StoreFixture()
        let ids = try (1...1050).map { try fixture.addBook("{\"title\": \"\($0 % 3 == 0 ? "가방" : "Bag") \($0)\"}") }
        fixture.store.close()
        let path = fixture.directory + "/lectern.sqlite"
        try TestDatabase.execute(
            path,
            """
            UPDATE books_words SET title = '가방' WHERE rowid % 3 = 0; UPDATE books SET sort_title = title;
            DELETE FROM books_words WHERE rowid IN (SELECT rowid FROM books_words LIMIT 1); DELETE FROM words; DELETE FROM meta WHERE name = 'fold'
            """)
        try StoreFixture.reopen(&fixture)
        var filter = BookFilter()
        filter.search = SearchQuery("가", begins: true)
        #expect(try find(fixture.reads(), filter, limit: 3000).count == 350)
        filter.search = SearchQuery("bag 1", begins: false)
        #expect(try find(fixture.reads(), filter) == [ids[0]])
        #expect(try Store.checkOpen(fixture).isEmpty)
        try StoreFixture.reopen(&fixture)
        fixture.store.close()
        try TestDatabase.execute(
            path, "UPDATE books_words SET authors = 'x' WHERE rowid = (SELECT min(rowid) FROM books_words)")
        let findings = try Store.check(directory: fixture.directory)
        #expect(findings == ["search index: 1 books have other words than their titles and authors"])
    }

    @Test("A word of very many books returns the same books as a rare one")
    func common() throws {
        let fixture = try StoreFixture()
        let pending = try (0..<2100).map { index in
            fixture.submit(
                Command.createBook(try .whole("{\"title\": \"common n\(index)\"}")).by(try fixture.administrator))
        }
        for answer in pending { _ = try answer.wait().get() }
        var filter = BookFilter()
        filter.search = SearchQuery("common", begins: false)
        #expect(try find(fixture.reads(), filter).count == 2100)
    }
}
