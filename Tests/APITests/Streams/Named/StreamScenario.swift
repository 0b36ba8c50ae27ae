import API
import Foundation
import JSON
import SharedByTests
import Store
import Synchronization

/// Ada and Ben, their readings and clubs, and their random actions.
final class StreamScenario: Sendable {
    let service: TestService
    let ada: String
    let ben: String
    let benID: String
    let books: [String]
    let readings: [String]
    let bens: [String]
    let clubs: [String]
    /// A book that changes only to detect that all earlier events have arrived.
    let mark: String

    init(readings count: Int) throws {
        let service = try TestService()
        self.service = service
        let (ada, ben) = (try service.reader("Ada"), try service.reader("Ben"))
        (self.ada, self.ben) = (ada, ben)
        benID = try service.send("GET", "/v1/me", token: ben)["id"]?.string ?? ""
        mark = try service.make("/v1/books", "{\"title\":\"Mark\"}")
        let books = try (0..<count).map {
            try service.make("/v1/books", "{\"title\":\"\($0 % 3 == 0 ? "Rope" : "Tale") \($0)\",\"pageCount\":100}")
        }
        self.books = books
        readings = try books.map { try service.make("/v1/readings", "{\"book\":\"\($0)\"}", token: ada) }
        bens = try books.prefix(2).map { try service.make("/v1/readings", "{\"book\":\"\($0)\"}", token: ben) }
        clubs = try (0..<2).map { number in
            let club = try service.make("/v1/clubs", "{\"name\":\"Club \(number)\"}", token: ada)
            try Self.enter(club, ben, of: ada, service)
            let current = try service.send(
                "POST", "/v1/clubs/\(club)/runs", "{\"book\":\"\(books[number])\",\"state\":\"current\"}",
                token: ada)
            guard current.status == 201 else { throw UnexpectedResponse(text: current.text) }
            for token in [ada, ben] {
                let me = try service.send("GET", "/v1/me", token: token)["id"]?.string ?? ""
                _ = try service.send(
                    "PATCH", "/v1/clubs/\(club)/members/\(me)", "{\"shares\":\"exact\"}", token: token)
                _ = try service.send("POST", "/v1/clubs/\(club)/standings", "{}", token: token)
            }
            return club
        }
    }

    private static func enter(_ club: String, _ token: String, of ada: String, _ service: TestService) throws {
        let invitation = try service.send("POST", "/v1/clubs/\(club)/invitations", "{}", token: ada)
        let code = invitation["code"]?.string ?? ""
        let answer = try service.send("POST", "/v1/memberships", "{\"invitation\":\"\(code)\"}", token: token)
        guard answer.status < 300 else { throw UnexpectedResponse(text: answer.text) }
    }

    var lists: [String] {
        [
            "/v1/readings?state=reading&limit=100", "/v1/cards?limit=100", "/v1/books?q=rope&limit=100",
            "/v1/readings/\(readings[0])/entries", "/v1/clubs/\(clubs[0])/notes?limit=100",
        ]
    }

    var standings: [String] { clubs.map { "/v1/clubs/\($0)/standings" } }

    var urls: [String] { readings.map { "/v1/readings/\($0)" } + lists + standings }

    /// Performs a random action of Ada's.
    func adas(_ random: inout SeededGenerator) throws {
        let number = readings.indices.randomElement(using: &random) ?? 0
        let reading = readings[number]
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<11: try send("POST", "/v1/readings/\(reading)/entries", entry(&random))
        case 11..<14:
            let state = ["reading", "paused", "abandoned"].randomElement(using: &random) ?? ""
            try send("PATCH", "/v1/readings/\(reading)", "{\"state\":\"\(state)\"}")
        case 14..<17: try batch(&random)
        case 17: try note(0, as: ada, &random)
        default:
            let title = "\(Bool.random(using: &random) ? "Rope" : "Tale") \(UInt16.random(in: 0...999, using: &random))"
            try send("PATCH", "/v1/books/\(books[number])", "{\"title\":\"\(title)\"}", as: service.token)
        }
    }

    /// Performs a random action of Ben's that is visible to Ada.
    func bens(_ random: inout SeededGenerator) throws {
        let number = Int.random(in: 0...1, using: &random)
        switch Int.random(in: 0..<6, using: &random) {
        case 0..<4: try send("POST", "/v1/readings/\(bens[number])/entries", entry(&random), as: ben)
        case 4: try note(number, as: ben, &random)
        default:
            let level = ["exact", "milestones", "finished", "nothing"].randomElement(using: &random) ?? ""
            try send("PATCH", "/v1/clubs/\(clubs[number])/members/\(benID)", "{\"shares\":\"\(level)\"}", as: ben)
        }
    }

    /// Makes Ben leave or join a club.
    func move(_ club: Int, in isIn: Bool) throws {
        if isIn {
            try Self.enter(clubs[club], ben, of: ada, service)
        } else {
            try send("DELETE", "/v1/clubs/\(clubs[club])/members/\(benID)", as: ben)
        }
    }

    private func entry(_ random: inout SeededGenerator) -> String {
        "{\"progress\":0.\(Int.random(in: 100...899, using: &random))}"
    }

    private func note(_ club: Int, as token: String, _ random: inout SeededGenerator) throws {
        let body =
            "{\"book\":\"\(books[club])\",\"club\":\"\(clubs[club])\",\"position\":{\"progress\":0.05},\"body\":\"so it is\"}"
        try send("POST", "/v1/notes", body, as: token)
    }

    private func batch(_ random: inout SeededGenerator) throws {
        let lines = (0..<Int.random(in: 2...6, using: &random)).map { _ in
            let reading = readings.randomElement(using: &random) ?? ""
            return "{\"method\":\"POST\",\"path\":\"/v1/readings/\(reading)/entries\",\"body\":\(entry(&random))}"
        }
        try send("POST", "/v1/batch", "{\"atomic\":true,\"requests\":[\(lines.joined(separator: ","))]}")
    }

    private func send(_ method: String, _ path: String, _ body: String? = nil, as token: String? = nil) throws {
        let answer = try service.send(method, path, body, token: token ?? ada, fields: ["Prefer: return=minimal"])
        guard answer.status < 300 || [403, 404, 409].contains(answer.status) else {
            throw UnexpectedResponse(text: "\(method) \(path): \(answer.text)")
        }
    }
}
