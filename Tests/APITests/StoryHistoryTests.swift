import Foundation
import JSON
import SharedByTests
import Testing

@testable import API

/// Random ways through one book in four editions, whose anchors come, change and go: what an entry meant when it was written
/// it means for ever, and a reading is where its last entry is. What it means is said here a second time, with fractions.
@Suite("Histories of editions", .serialized, .ownThreads)
struct StoryHistoryTests {
    @Test(
        "Nothing that was said moves, whatever becomes of anchors and editions", arguments: TestBudget.seeds(2, long: 4)
    )
    func histories(_ seed: UInt64) throws {
        var history = try StoryHistory(seed: seed)
        for _ in 0..<6 {
            for _ in 0..<60 { try history.step() }
            try history.check()
        }
    }
}

private struct StoryHistory {
    /// An edition: its unit as entries say it, its story, and where its chapters begin in it, if that is known.
    struct Edition {
        let id: String
        let member: String
        let start: Double
        let end: Double
        let length: Int
        var anchors: [Int] = []
    }

    struct Reading {
        let id: String
        let token: String
        var edition: Int?
        var isFinished = false
        var entries: [(id: String, text: String, progress: Double)] = []
    }

    static let shares = [0, 0.12, 0.3, 0.47, 0.8]
    let service = try! TestService()
    let book: String
    var random: SeededGenerator
    var editions: [Edition] = []
    var readings: [Reading] = []

    init(seed: UInt64) throws {
        random = SeededGenerator(seed: seed)
        book = try service.make("/v1/books", #"{"title":"Kindred","pageCount":100}"#)
        let chapters = Self.shares.map { #"{"share":\#($0)}"# }.joined(separator: ",")
        _ = try service.send("PUT", "/v1/books/\(book)/chapters", #"{"chapters":[\#(chapters)]}"#)
        for (member, start, end, length, format) in [
            ("page", 10, 390, 400, "paper"), ("page", 0, 250, 300, "paper"), ("seconds", 30, 35_000, 36_000, "audio"),
            ("progress", 2, 82, 100, "ebook"),
        ] {
            let id = try service.make(
                "/v1/books/\(book)/editions",
                #"{"format":"\#(format)","length":\#(length),"storyStart":\#(start),"storyEnd":\#(end)}"#)
            editions.append(
                Edition(id: id, member: member, start: Double(start), end: Double(end), length: length))
        }
        let club = try service.make("/v1/clubs", #"{"name":"Tuesdays"}"#)
        let code = try service.send("POST", "/v1/clubs/\(club)/invitations", #"{"usesMax":9}"#)["code"]?.string ?? ""
        for name in ["Ada", "Ben"] {
            let token = try service.reader(name)
            for _ in 0..<2 {
                let id = try service.make(
                    "/v1/readings", #"{"book":"\#(book)","isReread":true}"#, token: token)
                readings.append(Reading(id: id, token: token))
            }
            // One who comes later has read before.
            if name == "Ada" {
                _ = try service.send("POST", "/v1/memberships", #"{"invitation":"\#(code)"}"#, token: token)
            }
        }
        for _ in 0..<40 { try step() }
        _ = try service.send("POST", "/v1/memberships", #"{"invitation":"\#(code)"}"#, token: readings[2].token)
    }

    mutating func step() throws {
        switch Int.random(in: 0..<20, using: &random) {
        case ..<11: try enter()
        case ..<13: try undo()
        case ..<15: try change()
        case ..<16: try toggle()
        case ..<18: try anchor()
        default: try rename()
        }
    }

    /// Where an amount of an edition lies, as it is known now.
    func share(_ amount: Double, _ edition: Edition) -> Double {
        var points = [(edition.start, 0.0)]
        if !edition.anchors.isEmpty { points += zip(edition.anchors.map(Double.init), Self.shares) }
        points.append((edition.end, 1))
        guard let next = points.firstIndex(where: { amount < $0.0 }) else { return 1 }
        guard next > 0 else { return 0 }
        let (from, to) = (points[next - 1], points[next])
        return from.1 + (amount - from.0) / (to.0 - from.0) * (to.1 - from.1)
    }

    private mutating func enter() throws {
        let place = readings.indices.randomElement(using: &random)!
        let named = Bool.random(using: &random) ? nil : editions.indices.randomElement(using: &random)
        var (body, expected): (String, Double)
        if Int.random(in: 0..<4, using: &random) == 0 {
            let chapter = Self.shares.indices.randomElement(using: &random)!
            let fraction = Double(Int.random(in: 0...10, using: &random)) / 10
            let end = chapter + 1 < Self.shares.count ? Self.shares[chapter + 1] : 1
            body = #"{"chapter":\#(chapter + 1),"fraction":\#(fraction)}"#
            expected = Self.shares[chapter] + fraction * (end - Self.shares[chapter])
        } else if let index = named ?? readings[place].edition {
            let edition = editions[index]
            let amount = Int.random(in: 0...edition.length, using: &random)
            let said = edition.member == "progress" ? "\(Double(amount) / 100)" : "\(amount)"
            body = #"{"\#(edition.member)":\#(said),"edition":"\#(edition.id)"}"#
            expected = share(Double(amount), edition)
        } else {
            let page = Int.random(in: 0...100, using: &random)
            (body, expected) = (#"{"page":\#(page)}"#, Double(page) / 100)
            // The reading's own pages: those of the edition that it was in last.
            let pages = try service.send("GET", "/v1/readings/\(readings[place].id)", token: readings[place].token)
            guard pages["pageCount"]?.integer == 100 else { return }
        }
        let answer = try service.send(
            "POST", "/v1/readings/\(readings[place].id)/entries", #"{"at":\#(body)}"#, token: readings[place].token)
        #expect(answer.status == (readings[place].isFinished ? 409 : 201), "\(body) \(answer.text)")
        guard answer.status == 201, let progress = answer["progress"]?.double else { return }
        #expect(abs(progress - expected) < 0.000_002, "\(body) is \(progress), not \(expected)")
        readings[place].entries.append((answer["id"]?.string ?? "", answer.text, progress))
    }

    private mutating func undo() throws {
        let place = readings.indices.randomElement(using: &random)!
        guard let entry = readings[place].entries.indices.randomElement(using: &random) else { return }
        let path = "/v1/readings/\(readings[place].id)/entries/\(readings[place].entries[entry].id)"
        #expect(try service.send("DELETE", path, token: readings[place].token).status == 204)
        readings[place].entries.remove(at: entry)
    }

    private mutating func change() throws {
        let place = readings.indices.randomElement(using: &random)!
        let edition = editions.indices.randomElement(using: &random)!
        let said = Int.random(in: 0..<4, using: &random) == 0 ? nil : edition
        let answer = try service.send(
            "PATCH", "/v1/readings/\(readings[place].id)",
            #"{"edition":\#(said.map { "\"\(editions[$0].id)\"" } ?? "null")}"#, token: readings[place].token)
        #expect(answer.status == 200, "\(answer.text)")
        readings[place].edition = said
    }

    private mutating func toggle() throws {
        let place = readings.indices.randomElement(using: &random)!
        let answer = try service.send(
            "PATCH", "/v1/readings/\(readings[place].id)", #"{"isFinished":\#(!readings[place].isFinished)}"#,
            token: readings[place].token)
        // A first reading is not reopened while a re-read is open.
        if answer.status == 200 { readings[place].isFinished.toggle() } else { #expect(answer.status == 409) }
    }

    private mutating func anchor() throws {
        let place = Int.random(in: 0..<3, using: &random)
        let path = "/v1/editions/\(editions[place].id)/anchors"
        if !editions[place].anchors.isEmpty, Int.random(in: 0..<3, using: &random) == 0 {
            #expect(try service.send("DELETE", path).status == 204)
            editions[place].anchors = []
            return
        }
        let range = Int(editions[place].start)..<Int(editions[place].end)
        let begins = range.shuffled(using: &random).prefix(Self.shares.count).sorted()
        let answer = try service.send("PUT", path, #"{"begins":\#(begins)}"#)
        #expect((200...201).contains(answer.status), "\(answer.text)")
        editions[place].anchors = begins
    }

    /// What measures does not change any more; the rest does.
    private mutating func rename() throws {
        let edition = editions.randomElement(using: &random)!
        let path = "/v1/editions/\(edition.id)"
        let name = try service.send("PATCH", path, #"{"name":"\#(Int.random(in: 0..<9, using: &random))"}"#)
        #expect(name.status == 200)
        let isRead = readings.contains { $0.edition.map { editions[$0].id } == edition.id }
        if isRead { #expect(try service.send("PATCH", path, #"{"storyEnd":\#(edition.length)}"#).status == 409) }
    }

    func check() throws {
        for reading in readings {
            let shown = try service.send("GET", "/v1/readings/\(reading.id)", token: reading.token)
            #expect(shown["progress"]?.double == (reading.isFinished ? 1 : reading.entries.last?.progress ?? 0))
            #expect(shown["edition"]?.string == reading.edition.map { editions[$0].id })
            for entry in reading.entries {
                let path = "/v1/readings/\(reading.id)/entries/\(entry.id)"
                #expect(try service.send("GET", path, token: reading.token).text == entry.text)
            }
        }
    }
}
