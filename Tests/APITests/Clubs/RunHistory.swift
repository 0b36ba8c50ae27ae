import API
import Foundation
import JSON
import SharedByTests
import Testing

/// A club of three with random runs, and the streams of its lists.
struct RunHistory {
    private static let lists = [
        "runs", "runs?state=current", "runs?state=proposed", "standings", "milestones", "meetings", "notes",
    ]
    private static let partLists = ["milestones", "meetings", "notes", "standings"]

    let service = try! TestService()
    var random: SeededGenerator
    var rules = RunRules()
    /// The tokens of an owner and two members.
    var tokens: [String] = []
    var books: [String] = []
    var readingIDs: [String] = []
    let club: String
    private var watchers: [(list: String, watcher: Watcher)] = []

    init(seed: UInt64) throws {
        random = SeededGenerator(seed: seed)
        for name in ["Ada", "Ben", "Cleo"] { tokens.append(try service.reader(name)) }
        club = try service.make("/v1/clubs", "{\"name\":\"Tuesdays\"}", token: tokens[0])
        for token in tokens[1...] {
            let invitation = try service.send("POST", "/v1/clubs/\(club)/invitations", "{}", token: tokens[0])
            let code = invitation["code"]?.string ?? ""
            _ = try service.make("/v1/memberships", "{\"invitation\":\"\(code)\"}", token: token)
        }
        for title in ["Kindred", "Dawn"] { books.append(try service.make("/v1/books", "{\"title\":\"\(title)\"}")) }
        for list in Self.lists { try watch(list) }
    }

    private mutating func watch(_ list: String) throws {
        let watcher = try Watcher(service, "/v1/clubs/\(club)/\(list)", token: tokens[1])
        #expect(watcher.wait(count: 1))
        watchers.append((list, watcher))
    }

    mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }

    func send(_ method: String, _ path: String, _ body: String?, by reader: Int) throws -> Answer {
        try service.send(method, "/v1/clubs/\(club)/\(path)", body, token: tokens[reader])
    }

    mutating func step() throws {
        switch number(0..<100) {
        case ..<12: try make()
        case ..<28: try change()
        case ..<32: try end()
        case ..<48: try createMilestone()
        case ..<62: try write()
        case ..<72: try meet()
        case ..<78: try moveMeeting()
        case ..<92: try createStanding()
        case ..<96: try finish()
        default: try takeAway()
        }
    }

    // MARK: Runs

    private mutating func make() throws {
        let (reader, book) = (number(0..<3), number(0..<2))
        let state = ["proposed", "planned", "current", "read"].randomElement(using: &random)!
        let body = "{\"book\":\"\(books[book])\",\"state\":\"\(state)\"}"
        let answer = try send("POST", "runs", body, by: reader)
        #expect(answer.status == (reader == 0 || state == "proposed" ? 201 : 403), "\(answer.text)")
        guard answer.status == 201 else { return }
        try add(answer, book, state, proposer: state == "proposed" ? reader : nil)
    }

    private mutating func add(_ answer: Answer, _ book: Int, _ state: String, proposer: Int?) throws {
        let place = (rules.runs.map(\.place).max() ?? 0) + 1
        #expect(answer["place"]?.integer == Int64(place) && answer["state"]?.string == state, "\(answer.text)")
        let id = answer["id"]?.string ?? ""
        rules.runs.append(.init(id: id, book: book, place: place, state: state, proposer: proposer))
        // The streams of some runs, which end with them.
        guard watchers.count < 40 else { return }
        for list in Self.partLists { try watch("\(list)?run=\(id)") }
    }

    private mutating func change() throws {
        guard let index = rules.runs.indices.randomElement(using: &random) else { return }
        let state = ["proposed", "planned", "current", "read", "dropped"].randomElement(using: &random)!
        let (reader, place) = (number(0..<4) % 3, number(0..<9))
        let run = rules.runs[index]
        let answer = try send("PATCH", "runs/\(run.id)", "{\"state\":\"\(state)\",\"place\":\(place)}", by: reader)
        let isPossible = state != "proposed" || run.state == "proposed"
        #expect(answer.status == (reader != 0 ? 403 : isPossible ? 200 : 422), "\(answer.text)")
        if answer.status == 200 { (rules.runs[index].state, rules.runs[index].place) = (state, place) }
    }

    private mutating func end() throws {
        guard let run = rules.runs.randomElement(using: &random) else { return }
        let reader = number(0..<3)
        let answer = try send("DELETE", "runs/\(run.id)", nil, by: reader)
        let isOwn = run.state == "proposed" && run.proposer == reader
        #expect(answer.status == (reader == 0 || isOwn ? 204 : 403), "\(answer.text)")
        if answer.status == 204 { rules.end(run.id) }
    }

    // MARK: Looking

    /// Returns the ids of a list, or `nil` if it is not found.
    private func got(_ list: String) throws -> [String]? {
        var ids: [String] = []
        var cursor = ""
        repeat {
            let more = (list.contains("?") ? "&" : "?") + "limit=100&cursor=" + cursor
            let page = try send("GET", list + more, nil, by: 2)
            if page.status == 404 { return nil }
            ids += page["items"]?.elements.compactMap { $0["id"]?.string } ?? []
            cursor = page["next"]?.string ?? ""
        } while !cursor.isEmpty
        return ids
    }

    /// Returns the ids that a stream currently contains.
    private static func received(_ watcher: Watcher) -> Set<String> {
        var ids: Set<String> = []
        for event in watcher.events {
            guard let data = try? JSONDocument(Array(event.data.utf8)).root else { continue }
            let id = data["id"]?.string ?? ""
            switch event.name {
            case "snapshot": ids = Set(data["items"]?.elements.compactMap { $0["id"]?.string } ?? [])
            case "leave", "deleted": ids.remove(id)
            default: ids.insert(id)
            }
        }
        return ids
    }

    mutating func check() throws {
        #expect(try got("runs") == rules.listed.map(\.id))
        for run in rules.runs {
            for list in Self.partLists {
                #expect(try got("\(list)?run=\(run.id)").map { Set($0) } == rules.ids(of: "\(list)?run=\(run.id)"))
            }
        }
        for (list, watcher) in watchers {
            let expected = rules.ids(of: list)
            #expect(try got(list).map { Set($0) } == expected, "\(list)")
            if let expected, !rules.isOver(list) {
                #expect(watcher.wait { Self.received($0) == expected }, "\(list)")
            } else {
                #expect(watcher.wait { $0.isEnded }, "\(list)")
            }
        }
    }
}
