import JSON
import SharedByTests
import Testing

@Suite("The sorted catalogue", .serialized, .ownThreads)
struct SortedCatalogueTests {
    private func add(_ service: TestService) throws -> [String] {
        try [
            #"{"title":"The Hobbit","language":"en","authors":["J.R.R. Tolkien"]}"#,
            #"{"title":"Das Boot","language":"de"}"#,
            #"{"title":"1984","authors":["Orwell, George"]}"#, #"{"title":"Emma","authors":["Jane Austen"]}"#,
            #"{"title":"9 Stories","authors":["J. D. Salinger"]}"#,
            #"{"title":"Persuasion","authors":["Jane Austen"]}"#,
        ].map { try service.make("/v1/books", $0) }
    }

    @Test(
        "The catalogue is sorted by title and author, ascending and descending",
        arguments: [
            ("title", ["9 Stories", "1984", "Das Boot", "Emma", "The Hobbit", "Persuasion"]),
            ("author", ["Das Boot", "Emma", "Persuasion", "1984", "9 Stories", "The Hobbit"]),
        ])
    func orders(_ row: (order: String, titles: [String])) throws {
        let service = try TestService()
        _ = try add(service)
        for (sort, titles) in [(row.order, row.titles), ("-" + row.order, row.titles.reversed())] {
            var found: [String] = []
            var cursor: String? = ""
            while let now = cursor, found.count < 20 {
                let page = try service.send("GET", "/v1/books?limit=1&sort=\(sort)&cursor=\(now)")
                #expect(page.status == 200)
                found += page["items"]?.elements.compactMap { $0["title"]?.string } ?? []
                cursor = page["next"]?.string
            }
            #expect(found == titles)
        }
        let asked = try service.send("GET", "/v1/books?author=austen&sort=-author")
        #expect(asked["items"]?.elements.compactMap { $0["title"]?.string } == ["Persuasion", "Emma"])
    }

    @Test("A cursor of another order, or of an older form of sorting, is refused")
    func cursors() throws {
        let service = try TestService()
        _ = try add(service)
        let next = try #require(try service.send("GET", "/v1/books?limit=1&sort=author")["next"]?.string)
        for path in [
            "sort=title&cursor=\(next)", "sort=-author&cursor=\(next)", "sort=title&cursor=AQAAAAAAAAABYg",
            "sort=author&cursor=AQAAAAAAAAABYg",
        ] {
            let answer = try service.send("GET", "/v1/books?\(path)")
            #expect(answer.status == 409 && answer["type"]?.string == "/problems/foreign-cursor", "\(path)")
        }
    }

    @Test("A filtered list sends events only for rows that changed in it")
    func watched() throws {
        let service = try TestService()
        let books = try add(service)
        let watcher = try Watcher(service, "/v1/books?author=tolkien")
        let all = try Watcher(service, "/v1/books?sort=author")
        #expect(watcher.wait(count: 1) && all.wait(count: 1))
        _ = try service.send("PATCH", "/v1/books/\(books[0])", #"{"language":"de"}"#)
        _ = try service.send("PATCH", "/v1/books/\(books[0])", #"{"language":"DE"}"#)
        _ = try service.send("PATCH", "/v1/books/\(books[0])", #"{"authors":["Tolkien, John"]}"#)
        #expect(watcher.wait(count: 4) && watcher.names == ["snapshot", "updated", "updated", "updated"])
        #expect(all.wait(count: 4) && all.names == ["snapshot", "updated", "updated", "updated"])
        for stream in [watcher, all] {
            #expect(stream.events[1...2].allSatisfy { $0.data.contains(#""changed":["language"]"#) })
            #expect(stream.events[3].data.contains(#""changed":["authors"]"#))
        }
        let page = try service.send("GET", "/v1/books?sort=title")
        #expect(page["items"]?.elements.compactMap { $0["title"]?.string }.last == "The Hobbit")
    }
}
