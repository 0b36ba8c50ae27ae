import Foundation
import JSON
import Model
import ObservableModels
import SharedByTests
import Store
import Testing

@testable import API

/// Tests of lists that are watched with a limit.
@Suite("Watched windows")
struct WindowTests {
    private static func some<Value>(_ values: [Value], _ random: inout SeededGenerator) -> Value {
        values[Int.random(in: values.indices, using: &random)]
    }

    private static func book(_ random: inout SeededGenerator) -> String {
        let title = some(["The Rope", "rope", "Ropes", "An Abc", "äb", "Ab 3", "Ab 21", "雪国"], &random)
        let author = some(["Ann Bee", "Bo van Cee", "Dee", "Ann Ay"], &random)
        let year = some(["null", "1984", "1984", "-300", "2001"], &random)
        let language = some(["null", "\"en\"", "\"en-GB\"", "\"de\""], &random)
        return "{\"title\":\"\(title)\",\"authors\":[\"\(author)\"],\"publishedYear\":\(year),\"language\":\(language)}"
    }

    @Test(
        "Events applied to the first books equal a new fetch, in every order",
        arguments: TestBudget.seeds(1, long: 2))
    func books(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let scenario = try WindowScenario()
        var books: [String] = []
        func make() throws {
            books.append(try scenario.pipeline.make("/v1/books", Self.book(&random), as: "admin"))
        }
        for _ in 0..<12 { try make() }
        for sort in ["title", "author", "publishedYear", "createdAt", "updatedAt"] {
            for (sign, limit) in [("", 1), ("-", 3)] {
                try scenario.watch("/v1/books?sort=\(sign)\(sort)&limit=\(limit)", as: "admin")
                try scenario.watch("/v1/books?sort=\(sign)\(sort)&limit=4&language=en", as: "admin")
            }
            try scenario.watch("/v1/books?sort=\(sort)&limit=2&q=rop", as: "admin")
        }
        try scenario.watch("/v1/books?limit=5", as: "admin")
        try scenario.watch("/v1/books?limit=100&publishedFrom=1900", as: "admin")
        for step in 0..<50 {
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                switch Int.random(in: 0..<(books.count > 30 ? 6 : 10), using: &random) {
                case 0...2 where books.count > 3:
                    let place = Int.random(in: books.indices, using: &random)
                    try scenario.send("DELETE", "/v1/books/\(books.remove(at: place))", as: "admin")
                case 3...5 where !books.isEmpty:
                    let book = Self.some(books, &random)
                    try scenario.send(
                        "PUT", "/v1/books/\(book)", Self.book(&random), as: "admin", fields: ["If-Match: *"])
                default: try make()
                }
            }
            try scenario.compare("step \(step)")
        }
        for name in ["enter", "leave", "updated", "pushedOut", "changed", "deleted"] {
            #expect(scenario.received[name] ?? 0 > 20, "\(name)")
        }
    }

    @Test(
        "Rows after the known ones are read when needed",
        arguments: TestBudget.seeds(1, long: 2))
    func successors(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let scenario = try WindowScenario()
        var books = try (0..<60).map { _ in try scenario.pipeline.make("/v1/books", Self.book(&random), as: "admin") }
        for sort in ["title", "-title", "createdAt", "-updatedAt"] {
            try scenario.watch("/v1/books?sort=\(sort)&limit=3", as: "admin")
        }
        while books.count > 5 {
            for _ in 0..<Int.random(in: 1...6, using: &random) where books.count > 1 {
                let place = Int.random(in: books.indices, using: &random)
                try scenario.send("DELETE", "/v1/books/\(books.remove(at: place))", as: "admin")
            }
            try scenario.compare("\(books.count) left")
        }
        // The changes are sent as events, not as new snapshots.
        #expect(scenario.received["snapshot"] == nil && scenario.received["enter"] ?? 0 > 20)
    }

    @Test(
        "A subscriber that begins while others are behind ends with the same state",
        arguments: TestBudget.seeds(1, long: 4))
    func latecomers(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let scenario = try WindowScenario()
        // The list is filtered, which prevents a cached page.
        var books = try (0..<60).map { _ in try scenario.pipeline.make("/v1/books", Self.book(&random), as: "admin") }
        try scenario.watch("/v1/books?sort=createdAt&publishedTo=9999&limit=2", as: "admin")
        for step in 0..<8 {
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                for _ in 0..<Int.random(in: 1...3, using: &random) {
                    let place = Int.random(in: 0..<min(6, books.count), using: &random)
                    try scenario.send("DELETE", "/v1/books/\(books.remove(at: place))", as: "admin")
                    books.append(try scenario.pipeline.make("/v1/books", Self.book(&random), as: "admin"))
                }
                try scenario.watch("/v1/books?sort=createdAt&publishedTo=9999&limit=2", as: "admin", whileBehind: true)
            }
            try scenario.compare("step \(step)")
        }
    }

    @Test(
        "Events applied to the first readings, cards, entries and shelves equal a new fetch",
        arguments: TestBudget.seeds(1, long: 2))
    func readings(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let scenario = try WindowScenario()
        for name in ["ada", "ben"] { try scenario.pipeline.enter(name) }
        let books = try (0..<6).map { _ in try scenario.pipeline.make("/v1/books", Self.book(&random), as: "admin") }
        var readings: [String] = []
        var entries: [String] = []
        func begin() throws {
            let body = "{\"book\":\"\(Self.some(books, &random))\",\"isReread\":true}"
            readings.append(try scenario.pipeline.make("/v1/readings", body, as: "ada"))
        }
        for _ in 0..<4 { try begin() }
        let (read, shelf) = (readings[0], try scenario.pipeline.make("/v1/shelves", "{\"name\":\"One\"}", as: "ada"))
        for limit in [1, 3, 100] {
            for path in [
                "readings?", "cards?", "readings?state=paused&", "cards?state=reading&", "readings/\(read)/entries?",
                "shelves?", "shelves/\(shelf)/books?", "cards?q=rop&sort=-createdAt&", "cards?book=\(books[0])&",
                "readings?book=\(books[1])&",
            ] {
                try scenario.watch("/v1/\(path)limit=\(limit)", as: "ada")
            }
        }
        for step in 0..<50 {
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let book = Self.some(books, &random)
                switch Int.random(in: 0..<12, using: &random) {
                case 0 where readings.count > 2:
                    let place = Int.random(in: 1..<readings.count, using: &random)
                    try scenario.send("DELETE", "/v1/readings/\(readings.remove(at: place))", as: "ada")
                case 1...3:
                    let state = Self.some(["reading", "paused"], &random)
                    let reading = Self.some(readings, &random)
                    try scenario.send("PATCH", "/v1/readings/\(reading)", "{\"state\":\"\(state)\"}", as: "ada")
                case 4...5:
                    let day = Int.random(in: 1...5, using: &random)
                    let body = "{\"progress\":0.\(step + 1),\"happenedAt\":\"2020-01-0\(day)T00:00:00Z\"}"
                    entries.append(try scenario.pipeline.make("/v1/readings/\(read)/entries", body, as: "ada"))
                case 6 where !entries.isEmpty:
                    let entry = entries.remove(at: Int.random(in: entries.indices, using: &random))
                    try scenario.send("DELETE", "/v1/readings/\(read)/entries/\(entry)", as: "ada")
                case 7:
                    try scenario.send(
                        "PUT", "/v1/books/\(book)", Self.book(&random), as: "admin", fields: ["If-Match: *"])
                case 8:
                    let body = "{\"place\":\(Int.random(in: 0...4, using: &random))}"
                    try scenario.send("PUT", "/v1/shelves/\(shelf)/books/\(book)", body, as: "ada")
                case 9: _ = try scenario.pipeline.send("DELETE", "/v1/shelves/\(shelf)/books/\(book)", as: "ada")
                case 10: _ = try scenario.pipeline.make("/v1/shelves", "{\"name\":\"\(step)\"}", as: "ada")
                default: try begin()
                }
            }
            try scenario.compare("step \(step)")
        }
    }

    @Test(
        "Events applied to a club's first rows equal each member's new fetch",
        arguments: TestBudget.seeds(1, long: 2))
    func clubs(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let scenario = try WindowScenario()
        let names = ["ada", "ben", "eve"]
        for name in names { try scenario.pipeline.enter(name) }
        let club = try scenario.pipeline.make(
            "/v1/clubs", "{\"name\":\"Tuesdays\",\"visibility\":\"listed\"}", as: "ada")
        let path = "/v1/clubs/\(club)"
        let code = try scenario.send("POST", "\(path)/invitations", "{}", as: "ada")["code"]?.string ?? ""
        try scenario.send("POST", "/v1/memberships", "{\"invitation\":\"\(code)\"}", as: "ben")
        let books = try (0..<4).map { _ in try scenario.pipeline.make("/v1/books", Self.book(&random), as: "admin") }
        let list = "\(path)/runs"
        var runs: [String: String] = [:]
        for book in books {
            let body = "{\"book\":\"\(book)\",\"state\":\"planned\"}"
            runs[book] = try scenario.pipeline.make(list, body, as: "ada")
        }
        try scenario.send("PATCH", "\(list)/\(runs[books[0]] ?? "")", "{\"state\":\"current\"}", as: "ada")
        var readings: [String: String] = [:]
        for name in ["ada", "ben"] {
            readings[name] = try scenario.pipeline.make("/v1/readings", "{\"book\":\"\(books[0])\"}", as: name)
            try scenario.send("POST", "\(path)/standings", "{}", as: name)
        }
        func meet() throws -> String {
            let day = Int.random(in: 1...9, using: &random)
            return try scenario.pipeline.make(
                "\(path)/meetings", "{\"startsAt\":\"2090-12-0\(day)T18:30:00Z\"}", as: "ada")
        }
        var (meetings, notes) = ([try meet()], [(id: String, of: String)]())
        for limit in [1, 2, 100] {
            for name in ["ada", "ben"] {
                for list in [
                    "runs", "meetings", "milestones", "milestones?book=\(books[0])", "members", "notes",
                    "notes?book=\(books[0])", "notes?q=rop&sort=-createdAt",
                    "meetings/\(meetings[0])/attendances",
                ] {
                    let sign = list.contains("?") ? "&" : "?"
                    try scenario.watch("\(path)/\(list)\(sign)limit=\(limit)", as: name)
                }
            }
            try scenario.watch("/v1/listings?limit=\(limit)", as: "eve")
        }
        for step in 0..<50 {
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let (book, name) = (Self.some(books, &random), Self.some(["ada", "ben"], &random))
                switch Int.random(in: 0..<14, using: &random) {
                case 0:
                    let place = Int.random(in: 0...3, using: &random)
                    try scenario.send("PATCH", "\(list)/\(runs[book] ?? "")", "{\"place\":\(place)}", as: "ada")
                case 1:
                    let state = Self.some(["current", "read"], &random)
                    try scenario.send("PATCH", "\(list)/\(runs[book] ?? "")", "{\"state\":\"\(state)\"}", as: "ada")
                case 2: meetings.append(try meet())
                case 3 where meetings.count > 1:
                    try scenario.send("DELETE", "\(path)/meetings/\(meetings.removeLast())", as: "ada")
                case 4:
                    let answer = Self.some(["yes", "no", "maybe"], &random)
                    try scenario.send(
                        "PUT", "\(path)/meetings/\(meetings[0])/attendance", "{\"answer\":\"\(answer)\"}", as: name)
                case 5:
                    let day = Int.random(in: 1...9, using: &random)
                    let body =
                        "{\"book\":\"\(books[0])\",\"position\":{\"progress\":0.\(step + 1)},\"dueAt\":\"2090-01-0\(day)T00:00:00Z\"}"
                    _ = try scenario.pipeline.send("POST", "\(path)/milestones", body, as: "ada")
                case 6...8:
                    let progress = Double.random(in: 0...1, using: &random)
                    let body =
                        "{\"book\":\"\(books[0])\",\"club\":\"\(club)\",\"position\":{\"progress\":\(progress)},\"body\":\"rope\"}"
                    notes.append((try scenario.pipeline.make("/v1/notes", body, as: name), name))
                case 9 where !notes.isEmpty:
                    let note = notes.remove(at: Int.random(in: notes.indices, using: &random))
                    try scenario.send("DELETE", "/v1/notes/\(note.id)", as: note.of)
                case 10 where !notes.isEmpty:
                    let note = Self.some(notes, &random)
                    let body = Self.some(["a rope", "no", "ropes \(step)"], &random)
                    try scenario.send("PATCH", "/v1/notes/\(note.id)", "{\"body\":\"\(body)\"}", as: note.of)
                case 11...12:
                    let progress = Double.random(in: 0...1, using: &random)
                    let entries = "/v1/readings/\(readings[name] ?? "")/entries"
                    try scenario.send("POST", entries, "{\"progress\":\(progress)}", as: name)
                default:
                    let answer = try scenario.pipeline.send(
                        "POST", "/v1/memberships", "{\"invitation\":\"\(code)\"}", as: "eve")
                    if answer.status >= 300 || answer.status == 200 {
                        let me = try scenario.send("GET", "/v1/me", as: "eve")["id"]?.string ?? ""
                        _ = try scenario.pipeline.send("DELETE", "\(path)/members/\(me)", as: "eve")
                    }
                }
            }
            try scenario.compare("step \(step)")
        }
    }
}
