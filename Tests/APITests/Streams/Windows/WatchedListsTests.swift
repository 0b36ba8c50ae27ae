import Foundation
import JSON
import Model
import ObservableModels
import SharedByTests
import Store
import Testing

@testable import API

/// Comparisons of streams and pages for searches in other lists than the catalogue.
@Suite("Watched searches in lists")
struct WatchedListsTests {
    static let words = [
        "rope", "Ropes", "Äb", "abc", "ab", "雪国", "雪", "O'Brien", "the", "3D", "café", "ガラス", "กะทิ", "sci-fi", "&",
        "한글",
    ]
    static let asked = [
        "rop", "rope ropes", "a", "ab", "abc", "雪", "国", "obrien", "brien", "th", "3", "cafe", "ガ", "からす", "กะ",
        "scifi",
        "and", "글", "zebra",
    ]

    static func text(_ random: inout SeededGenerator, _ count: ClosedRange<Int> = 1...4) -> String {
        (0..<Int.random(in: count, using: &random)).map { _ in words.randomElement(using: &random) ?? "" }
            .joined(separator: " ")
    }

    static func query(_ text: String) -> String {
        "q=\(text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")"
    }

    @Test(
        "Cards enter and leave as their books' titles change, and readings are sent anew",
        arguments: TestBudget.seeds(1, long: 3))
    func shelves(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let scenario = try ListScenario()
        for name in ["ada", "ben"] { try scenario.pipeline.enter(name) }
        func body() -> String {
            "{\"title\":\"\(Self.text(&random))\",\"authors\":[\"\(Self.text(&random, 1...2))\"]}"
        }
        var books = try (0..<6).map { _ in try scenario.pipeline.make("/v1/books", body(), as: "admin") }
        var readings: [(id: String, of: String)] = []
        for text in Self.asked {
            for path in ["/v1/cards?", "/v1/readings?", "/v1/cards?state=reading&", "/v1/readings?state=paused&"] {
                try scenario.watch(path + Self.query(text), as: "ada")
            }
        }
        try scenario.watch("/v1/cards?\(Self.query("rope"))", as: "ben")
        try scenario.watch("/v1/cards?\(Self.query("ab"))&sort=-createdAt&book=\(books[0])", as: "ada")
        for step in 0..<60 {
            let name = step % 5 == 0 ? "ben" : "ada"
            let book = try #require(books.randomElement(using: &random))
            let reading = readings.filter { $0.of == name }.randomElement(using: &random)
            switch (Int.random(in: 0..<10, using: &random), reading) {
            case (0...2, _): try scenario.send("PUT", "/v1/books/\(book)", body(), as: "admin", fields: ["If-Match: *"])
            case (3, _): books.append(try scenario.pipeline.make("/v1/books", body(), as: "admin"))
            case (4, let reading?):
                try scenario.send("DELETE", "/v1/readings/\(reading.id)", as: name)
                readings.removeAll { $0.id == reading.id }
            case (5...6, let reading?):
                let state = ["reading", "paused"].randomElement(using: &random) ?? ""
                try scenario.send("PATCH", "/v1/readings/\(reading.id)", "{\"state\":\"\(state)\"}", as: name)
            case (7, let reading?):
                try scenario.send(
                    "POST", "/v1/readings/\(reading.id)/entries", "{\"progress\":0.\(step + 1)}", as: name)
            default:
                let body = "{\"book\":\"\(book)\",\"isReread\":true}"
                readings.append((try scenario.pipeline.make("/v1/readings", body, as: name), name))
            }
            try scenario.compare("step \(step)")
        }
    }

    @Test("A resumed search of readings begins with a snapshot, because the log does not have what it missed")
    func resumed() throws {
        let pipeline = try TestPipeline()
        try pipeline.enter("ada")
        let book = try pipeline.make("/v1/books", "{\"title\":\"Emma\"}", as: "admin")
        _ = try pipeline.make("/v1/readings", "{\"book\":\"\(book)\"}", as: "ada")
        _ = pipeline.receive()
        let seq = try pipeline.send("GET", "/v1/readings?q=emm", as: "ada")["seq"]?.integer ?? 0
        _ = try pipeline.send("PATCH", "/v1/books/\(book)", "{\"title\":\"Kindred\"}", as: "admin")
        _ = pipeline.receive()
        let stream = try pipeline.open(
            "/v1/readings?q=emm&after=\(EventID(epoch: pipeline.pipeline.epoch, seq: seq))", as: "ada")
        #expect(stream.subscription.urls[0].viewDigest == nil && stream.subscription.needsSnapshot)
        let page = try pipeline.pipeline.reads.read { () throws(RequestError) in try pipeline.pipeline.next(for: stream)
        }
        let frames = try pipeline.follow(pipeline.pipeline.models.sending(page, for: stream.subscription), stream)
        #expect(frames.map(TestPipeline.name) == ["snapshot"])
        let refused = try pipeline.send(
            "GET", "/v1/readings?q=emm&fields=state", as: "ada", fields: ["Accept: text/event-stream"])
        #expect(refused.status == 400 && refused.text.contains("\\\"fields\\\""))
    }

    @Test("Listed clubs enter and leave by name and description, and one's own clubs are sent anew")
    func clubs() throws {
        var random = SeededGenerator(seed: 4)
        let scenario = try ListScenario()
        for name in ["ada", "ben"] { try scenario.pipeline.enter(name) }
        for text in Self.asked {
            try scenario.watch("/v1/listings?\(Self.query(text))", as: "ben")
            try scenario.watch("/v1/clubs?\(Self.query(text))", as: "ada")
        }
        try scenario.watch("/v1/listings?\(Self.query("rope"))&sort=foundedAt", as: "ada")
        try scenario.watch("/v1/clubs?\(Self.query("ab"))&sort=-joinedAt", as: "ada")
        try scenario.watch("/v1/clubs?\(Self.query("rope"))", as: "ben")
        var clubs: [(id: String, of: String)] = []
        for step in 0..<60 {
            let visibility = ["private", "listed"].randomElement(using: &random) ?? ""
            let club = clubs.randomElement(using: &random)
            let (name, description) = (Self.text(&random), Self.text(&random))
            switch (Int.random(in: 0..<8, using: &random), club) {
            case (0...2, let club?):
                let body = ["{\"name\":\"\(name)\"}", "{\"description\":\"\(description)\"}"].randomElement(
                    using: &random)
                try scenario.send("PATCH", "/v1/clubs/\(club.id)", body, as: club.of)
            case (3...4, let club?):
                try scenario.send("PATCH", "/v1/clubs/\(club.id)", "{\"visibility\":\"\(visibility)\"}", as: club.of)
            case (5, let club?):
                try scenario.send("DELETE", "/v1/clubs/\(club.id)", as: club.of)
                clubs.removeAll { $0.id == club.id }
            default:
                let owner = step % 4 == 0 ? "ben" : "ada"
                let body =
                    "{\"name\":\"\(name)\",\"description\":\"\(description)\",\"visibility\":\"\(visibility)\"}"
                clubs.append((try scenario.pipeline.make("/v1/clubs", body, as: owner), owner))
            }
            try scenario.compare("step \(step)")
        }
    }

    @Test("A private club and another's shelf are found by nobody else")
    func others() throws {
        let pipeline = try TestPipeline()
        for name in ["ada", "ben"] { try pipeline.enter(name) }
        let book = try pipeline.make("/v1/books", "{\"title\":\"Rope\"}", as: "admin")
        _ = try pipeline.make("/v1/readings", "{\"book\":\"\(book)\"}", as: "ada")
        _ = try pipeline.make("/v1/clubs", "{\"name\":\"Ropes\"}", as: "ada")
        _ = try pipeline.make("/v1/notes", "{\"book\":\"\(book)\",\"body\":\"the rope\"}", as: "ada")
        for list in ["readings", "cards", "clubs", "notes"] {
            #expect(try pipeline.send("GET", "/v1/\(list)?q=rop", as: "ada")["items"]?.elements.map(\.kind).count == 1)
            let page = try pipeline.send("GET", "/v1/\(list)?q=rop", as: "ben")
            #expect(
                page.status == 200 && page["items"]?.elements.map(\.kind).count == 0 && page["next"]?.isNull == true,
                "\(list)")
        }
        #expect(try pipeline.send("GET", "/v1/listings?q=rop", as: "ben")["items"]?.elements.map(\.kind).count == 0)
    }

    @Test("A search sorts by relevance by default, and each list has a name for its own order")
    func orders() throws {
        let pipeline = try TestPipeline()
        try pipeline.enter("ada")
        let club = try pipeline.make("/v1/clubs", "{\"name\":\"Ropes\"}", as: "ada")
        for (path, own, other) in [
            ("readings", "-createdAt", "createdAt"), ("cards", "-createdAt", "createdAt"),
            ("notes", "-createdAt", "createdAt"), ("clubs/\(club)/notes", "-createdAt", "title"),
            ("clubs", "-joinedAt", "-createdAt"), ("listings", "foundedAt", "-foundedAt"),
        ] {
            for (query, status) in [
                ("q=x&sort=relevance", 200), ("q=x&sort=\(own)", 200), ("sort=\(own)", 200),
                ("q=%21&sort=relevance", 200), ("sort=relevance", 200), ("q=x&sort=\(other)", 400),
                ("q=x&sort=-relevance", 400), ("q=\(String(repeating: "x", count: 201))", 400),
                ("q=\((0..<25).map { "w\($0)" }.joined(separator: "+"))", 400),
            ] {
                let answer = try pipeline.send("GET", "/v1/\(path)?\(query)", as: "ada")
                #expect(answer.status == status, "\(path) \(query) \(answer.text)")
            }
        }
    }
}
