import JSON
import ObservableModels
import Testing

@testable import API

/// Tests of the suggestion on a page of books without results.
@Suite("A suggested search")
struct SuggestedSearchTests {
    /// Returns a request pipeline with some books, each with its authors and further members.
    private func pipeline() throws -> TestPipeline {
        let pipeline = try TestPipeline()
        let books = [
            ("Harry Potter and the Philosopher's Stone", "J. K. Rowling", #","language":"en","publishedYear":1997"#),
            ("Harry Potter und der Stein der Weisen", "J. K. Rowling", #","language":"de","publishedYear":1998"#),
            ("The Hairy Ape", "Eugene O'Neill", #","language":"en","publishedYear":1922"#),
            ("L'Étranger", "Albert Camus", #","language":"fr","publishedYear":1942"#),
            ("ノルウェイの森 (Norwegian Wood)", "村上春樹", #","language":"ja","publishedYear":1987"#),
            ("Война и мир", "Лев Толстой", #","language":"ru","publishedYear":1869"#),
            ("Of Mice & Men", "John Steinbeck", #","language":"en","publishedYear":1937"#),
        ]
        for (title, author, rest) in books {
            _ = try pipeline.make(
                "/v1/books", "{\"title\":\"\(title)\",\"authors\":[\"\(author)\"]\(rest)}", as: "admin")
        }
        _ = pipeline.receive()
        return pipeline
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let query: String
        let suggestion: String?
        var testDescription: String { query }
        init(_ query: String, _ suggestion: String?) { (self.query, self.suggestion) = (query, suggestion) }
    }

    private static let rows: [Row] = [
        Row("q=hary+poter", "harry potter"), Row("q=harrypotter+rowlin", "harry potter rowlin"),
        Row("q=harrypotterr", nil),
        Row("q=philosofers+stone", "philosophers stone"), Row("q=Hary+Potter+ROWLNG", "harry potter rowling"),
        Row("q=hary&language=de", "harry"), Row("q=hary&language=fr", nil), Row("q=hary+stien", "harry stein"),
        Row("q=hary+stien&publishedTo=1997", nil), Row("q=hary+phil&publishedTo=1997", "harry phil"),
        Row("q=hary&publishedTo=1950", "hairy"), Row("q=potter+hary&author=rowling", "potter harry"),
        Row("q=potter+hary&author=camus", nil), Row("q=etrangr", "etranger"),
        Row("q=letrangr+camsu", "letranger camus"),
        Row("q=вона+толстй", "воина толстои"), Row("q=村上+hary", nil), Row("q=ノルウェイ+norwegan", "ノルウェイ norwegian"),
        Row("q=ofmice", "of mice"), Row("q=of+mise+%26+men", "of mice & men"),
        Row("q=micemen", "mice men"), Row("q=xyzzy", nil), Row("q=1984", nil),
        Row("q=harry+rowlnig&sort=-title", "harry rowling"),
        Row("q=harry", nil), Row("q=", nil), Row("language=xx", nil), Row("q=9780306406157", nil),
    ]

    @Test("A suggestion consists of existing words, and finds books with the same filter", arguments: rows)
    func suggestions(_ row: Row) throws {
        let pipeline = try pipeline()
        let query = row.query.utf8.map { $0 < 0x80 ? String(UnicodeScalar($0)) : "%" + String($0, radix: 16) }.joined()
        let page = try pipeline.send("GET", "/v1/books?\(query)", as: "admin")
        #expect(page["suggestion"]?.string == row.suggestion, "\(page.text)")
        guard let suggestion = row.suggestion else { return }
        #expect(page["items"]?.elements.isEmpty ?? false)
        let escaped = suggestion.utf8.map { "%" + String($0, radix: 16) }.joined()
        let rest = row.query.split(separator: "&", maxSplits: 1).dropFirst().joined()
        let found = try pipeline.send("GET", "/v1/books?q=\(escaped)&\(rest)", as: "admin")
        #expect(found["items"]?.elements.isEmpty == false, "\(found.text)")
    }

    @Test("A suggestion uses words of existing books: new ones are added, and deleted ones are not suggested")
    func changes() throws {
        let pipeline = try pipeline()
        func suggestion(_ query: String) throws -> String? {
            _ = pipeline.receive()
            return try pipeline.send("GET", "/v1/books?q=\(query)", as: "admin")["suggestion"]?.string
        }
        #expect(try suggestion("pesuasion") == nil)
        let id = try pipeline.make("/v1/books", #"{"title":"Emma"}"#, as: "admin")
        #expect(try suggestion("ema") == "emma")
        #expect(try pipeline.send("PATCH", "/v1/books/\(id)", #"{"title":"Persuasion"}"#, as: "admin").status == 200)
        #expect(try suggestion("ema") == nil)
        #expect(try suggestion("pesuasion") == "persuasion")
        #expect(try pipeline.send("DELETE", "/v1/books/\(id)", as: "admin").status == 204)
        #expect(try suggestion("pesuasion") == nil)
    }

    @Test("Of two equally similar words the suggestion uses the one with more readers")
    func readers() throws {
        let pipeline = try TestPipeline()
        let books = try ["The Giver", "Ever After", "Ever Before"].map {
            try pipeline.make("/v1/books", "{\"title\":\"\($0)\"}", as: "admin")
        }
        func suggestion() throws -> String? {
            _ = pipeline.receive()
            return try pipeline.send("GET", "/v1/books?q=gver", as: "admin")["suggestion"]?.string
        }
        #expect(try suggestion() == "ever")
        for name in ["Ada", "Ben", "Cleo", "Dora"] {
            try pipeline.enter(name)
            _ = try pipeline.make("/v1/readings", "{\"book\":\"\(books[0])\"}", as: name)
        }
        // Cached pages are dropped with a change that everyone sees.
        _ = try pipeline.make("/v1/books", #"{"title":"Emma"}"#, as: "admin")
        #expect(try suggestion() == "giver")
    }

    @Test("A suggestion is in the snapshot of a watched search, and not in later pages")
    func watched() throws {
        let pipeline = try pipeline()
        let stream = try pipeline.open("/v1/books?q=hary", as: "admin")
        let watched = try pipeline.pipeline.watched(stream.subscription.urls[0].url, by: stream.subscription.viewer)
        #expect(String(decoding: try watched.snapshot().body, as: UTF8.self).hasSuffix(#""suggestion":"harry"}"#))
    }
}
