import Foundation
import JSON
import SharedByTests
import Testing

/// Tests of a mirror that follows only the contract's rules of `/v1/changes`. Nothing else is needed to have the state
/// of the lists.
@Suite("Copies of lists", .serialized, .ownThreads)
struct MirrorTests {
    @Test(
        "A client that polls by the contract has the content of the lists, for random histories",
        arguments: TestBudget.seeds(2, long: 5))
    func mirror(_ seed: UInt64) throws {
        var scenario = try MirroredServer(seed: seed)
        for _ in 0..<12 {
            for _ in 0..<25 { try scenario.step() }
            try scenario.mirror.follow(limit: Int.random(in: 1...9, using: &scenario.random))
            let difference = try scenario.mirror.difference()
            try #require(difference.isEmpty, "\(difference.joined(separator: "\n"))")
        }
    }
}

/// The resources visible to one reader, by "kind id", kept up to date by polling.
private struct Mirror {
    let service: TestService
    let token: String
    let reader: String
    private(set) var held: [String: JSONValue] = [:]
    private var cursor = ""

    init(_ service: TestService, _ token: String) throws {
        self.service = service
        self.token = token
        reader = try service.send("GET", "/v1/me", token: token)["id"]?.string ?? ""
        cursor = try service.head(token: token)
        held = try read()
    }

    /// Polls and applies all changes.
    mutating func follow(limit: Int) throws {
        while true {
            let page = try service.send("GET", "/v1/changes?limit=\(limit)&after=\(cursor)", token: token)
            let items = page["items"]?.elements.map { $0 } ?? []
            #expect(page.status == 200 && items.count <= limit, "\(page.text)")
            for item in items { try receive(item) }
            let next = page["next"]?.string ?? ""
            if items.isEmpty, next == cursor { return }
            cursor = next
        }
    }

    private mutating func receive(_ item: JSONValue) throws {
        let (kind, id) = (item["resource"]?.string ?? "", item["id"]?.string ?? "")
        let key = "\(kind) \(id)"
        let isDeleted = item["change"]?.string == "deleted"
        guard kind != "membership" else { return try isDeleted ? leave(id) : come(to: id) }
        // An item read from a list may be newer.
        guard (held[key]?["version"]?.integer ?? 0) <= item["seq"]?.integer ?? 0 else { return }
        let before = held[key]
        held[key] = item["value"]
        if kind == "reading", isDeleted { drop { $0 == "entry" && $1["reading"]?.string == id } }
        if kind == "member", item["value"]?["reader"]?.string == reader, let club = item["value"]?["club"]?.string,
            before?["role"]?.string != item["value"]?["role"]?.string
        {
            drop { ["invitation", "joinRequest", "removal"].contains($0) && $1["club"]?.string == club }
            try add(Self.lists(ofModeratorsIn: club))
            try add([("joinRequest", "/v1/requests")])
        }
    }

    private mutating func come(to club: String) throws {
        leave(club)
        held.merge(try read(club: club)) { $1 }
        held["club \(club)"] = try service.send("GET", "/v1/clubs/\(club)", token: token).representation
    }

    private mutating func leave(_ club: String) {
        held["club \(club)"] = nil
        drop { $1["club"]?.string == club && $0 != "joinRequest" }
        let meetings = Set(held.keys.filter { $0.hasPrefix("meeting ") })
        drop { $0 == "attendance" && !meetings.contains("meeting \($1["meeting"]?.string ?? "")") }
    }

    private mutating func drop(_ goes: (_ kind: String, _ value: JSONValue) -> Bool) {
        held = held.filter { !goes(String($0.key.prefix { $0 != " " }), $0.value) }
    }

    private mutating func add(_ lists: [(kind: String, path: String)]) throws {
        for (kind, path) in lists { held.merge(try list(kind, path)) { $1 } }
    }

    /// Returns the differences between the mirror and the lists.
    func difference() throws -> [String] {
        let found = try read()
        return Set(held.keys).union(found.keys).sorted().filter { held[$0] != found[$0] }.map { key in
            func text(_ value: JSONValue?) -> String {
                value.map { String(decoding: $0.encoded, as: UTF8.self) } ?? "none"
            }
            return "\(key): held \(text(held[key])), listed \(text(found[key]))"
        }
    }

    // MARK: Lists

    private static func lists(ofModeratorsIn club: String) -> [(kind: String, path: String)] {
        [
            ("invitation", "/v1/clubs/\(club)/invitations"), ("joinRequest", "/v1/requests?club=\(club)"),
            ("removal", "/v1/clubs/\(club)/removals"),
        ]
    }

    /// Returns the contents of all lists.
    func read() throws -> [String: JSONValue] {
        var found: [String: JSONValue] = [:]
        for (kind, path) in [
            ("book", "books"), ("reading", "readings"), ("note", "notes"), ("token", "tokens"), ("listing", "listings"),
            ("club", "clubs"), ("joinRequest", "requests"), ("block", "me/blocks"),
        ] { found.merge(try list(kind, "/v1/\(path)")) { $1 } }
        let me = try service.send("GET", "/v1/me", token: token).representation
        found["reader \(reader)"] = me
        for key in found.keys where key.hasPrefix("reading ") {
            found.merge(try list("entry", "/v1/readings/\(key.dropFirst(8))/entries")) { $1 }
        }
        // Own notes in former clubs can be read, but their changes are not delivered.
        found = found.filter { key, value in
            !key.hasPrefix("note ") || value["club"]?.string.map { found["club \($0)"] != nil } ?? true
        }
        for key in found.keys where key.hasPrefix("club ") {
            found.merge(try read(club: String(key.dropFirst(5)))) { $1 }
        }
        return found
    }

    private func read(club: String) throws -> [String: JSONValue] {
        var found: [String: JSONValue] = [:]
        let path = "/v1/clubs/\(club)"
        for (kind, name) in [
            ("member", "members"), ("run", "runs"), ("milestone", "milestones"), ("meeting", "meetings"),
            ("note", "notes"), ("calendar", "calendars"),
        ] { found.merge(try list(kind, "\(path)/\(name)")) { $1 } }
        for (kind, path) in Self.lists(ofModeratorsIn: club) { found.merge(try list(kind, path)) { $1 } }
        for (key, value) in found {
            if key.hasPrefix("run "), let book = value["book"]?.string {
                found.merge(try list("standing", "\(path)/standings?book=\(book)")) { $1 }
                found.merge(try list("milestone", "\(path)/milestones?book=\(book)")) { $1 }
            }
            guard key.hasPrefix("meeting ") else { continue }
            found.merge(try list("attendance", "\(path)/meetings/\(key.dropFirst(8))/attendances")) { $1 }
        }
        return found
    }

    /// Returns all pages of a list, or nothing if the reader may not see it now.
    private func list(_ kind: String, _ path: String) throws -> [String: JSONValue] {
        var found: [String: JSONValue] = [:]
        var cursor = ""
        repeat {
            let page = try service.send("GET", path + cursor, token: token)
            for item in page["items"]?.elements.map({ $0 }) ?? [] {
                found["\(kind) \(item["id"]?.string ?? "")"] = item
            }
            cursor = page["next"]?.string.map { "\(path.contains("?") ? "&" : "?")cursor=\($0)" } ?? ""
        } while !cursor.isEmpty
        return found
    }
}

/// Ada's club, Ben with the mirror, and their actions.
private struct MirroredServer {
    let story = try! ClubStory(club: ",\"visibility\":\"listed\"")
    var random: SeededGenerator
    var mirror: Mirror
    private var club: String
    private var code = ""
    private let adaID: String
    private var books: [String]

    init(seed: UInt64) throws {
        random = SeededGenerator(seed: seed)
        mirror = try Mirror(story.service, story.ben)
        (club, books) = (story.club, [story.book])
        adaID = try story.service.send("GET", "/v1/me", token: story.ada)["id"]?.string ?? ""
        books.append(try story.service.make("/v1/books", "{\"title\":\"Dawn\"}"))
        try invite()
    }

    private mutating func invite() throws {
        code = try send("POST", "/v1/clubs/\(club)/invitations", "{\"usesMax\":1000}", story.ada)["code"]?.string ?? ""
    }

    private func send(_ method: String, _ path: String, _ body: String?, _ token: String) throws -> Answer {
        let answer = try story.service.send(method, path, body, token: token)
        // Many of the random requests are refused by the rules, but none fails.
        #expect(answer.status < 500, "\(method) \(path): \(answer.text)")
        return answer
    }

    /// Returns a random id in a list.
    private mutating func any(_ path: String, _ token: String) throws -> String {
        let items = try send("GET", path, nil, token)["items"]?.elements.compactMap { $0["id"]?.string } ?? []
        return items.randomElement(using: &random) ?? "01890000-0000-7000-8000-00000000dead"
    }

    mutating func step() throws {
        let (ada, ben) = (story.ada, story.ben)
        let book = books.randomElement(using: &random)!
        let progress = Double(Int.random(in: 0...100, using: &random)) / 100
        let home = "/v1/clubs/\(club)"
        switch Int.random(in: 0..<38, using: &random) {
        case 0: _ = try send("POST", "/v1/readings", "{\"book\":\"\(book)\",\"isReread\":true}", ben)
        case 1...5:
            _ = try send("POST", "/v1/readings/\(any("/v1/readings", ben))/entries", "{\"progress\":\(progress)}", ben)
        case 6: _ = try send("DELETE", "/v1/readings/\(any("/v1/readings", ben))", nil, ben)
        case 7:
            let isFinished = Bool.random(using: &random)
            _ = try send("PATCH", "/v1/readings/\(any("/v1/readings", ben))", "{\"isFinished\":\(isFinished)}", ben)
        case 8:
            let reading = try any("/v1/readings", ben)
            _ = try send(
                "DELETE", "/v1/readings/\(reading)/entries/\(any("/v1/readings/\(reading)/entries", ben))", nil, ben)
        case 9: _ = try send("POST", "/v1/notes", "{\"book\":\"\(book)\",\"body\":\"mine\"}", ben)
        case 10...14:
            let token = Bool.random(using: &random) ? ada : ben
            _ = try send(
                "POST", "/v1/notes",
                "{\"book\":\"\(book)\",\"club\":\"\(club)\",\"position\":{\"progress\":\(progress)},\"body\":\"ours\"}",
                token)
        case 15: _ = try send("DELETE", "/v1/notes/\(any("/v1/notes", ada))", nil, ada)
        case 16: _ = try send("DELETE", "/v1/notes/\(any("/v1/notes", ben))", nil, ben)
        case 17: _ = try send("PUT", "/v1/notes/\(any("\(home)/notes", ada))/reactions/love", nil, ada)
        case 18: _ = try send("PATCH", "/v1/me", "{\"name\":\"Ben \(progress)\"}", ben)
        case 19: _ = try send("PUT", "\(home)/books/\(book)", "{\"state\":\"current\"}", ada)
        case 20: _ = try send("DELETE", "\(home)/books/\(book)", nil, ada)
        case 21, 22:
            _ = try send(
                "POST", "\(home)/milestones",
                "{\"position\":{\"progress\":\(progress)},\"dueAt\":\"2090-01-01T00:00:00Z\"}", ada)
        case 23: _ = try send("POST", "\(home)/meetings", "{\"startsAt\":\"2090-01-01T00:00:00Z\"}", ada)
        case 24: _ = try send("DELETE", "\(home)/meetings/\(any("\(home)/meetings", ada))", nil, ada)
        case 25:
            _ = try send(
                "PUT", "\(home)/meetings/\(any("\(home)/meetings", ada))/attendance", "{\"answer\":\"yes\"}", ben)
        case 26: _ = try send("POST", "\(home)/standings", "{}", ben)
        case 27: _ = try send("POST", "\(home)/calendars", nil, ben)
        case 28:
            let role = ["member", "moderator"].randomElement(using: &random)!
            _ = try send("PATCH", "\(home)/members/\(story.benID)", "{\"role\":\"\(role)\"}", ada)
        case 29: _ = try send("PATCH", home, "{\"moderatorsSeeAhead\":\(Bool.random(using: &random))}", ada)
        case 30: try invite()
        case 31: _ = try send("DELETE", "\(home)/members/\(story.benID)", nil, ben)
        case 32: _ = try send("POST", "/v1/memberships", "{\"invitation\":\"\(code)\"}", ben)
        case 33...34: _ = try send("PUT", "/v1/me/blocks/\(adaID)", nil, ben)
        case 35...36: _ = try send("DELETE", "/v1/me/blocks/\(adaID)", nil, ben)
        default: try beginAnew()
        }
    }

    /// Sometimes deletes the club and creates another one.
    private mutating func beginAnew() throws {
        guard Int.random(in: 0..<3, using: &random) == 0 else { return }
        #expect(try send("DELETE", "/v1/clubs/\(club)", nil, story.ada).status == 204)
        club = try story.service.make("/v1/clubs", "{\"name\":\"Wednesdays\"}", token: story.ada)
        try invite()
    }
}
