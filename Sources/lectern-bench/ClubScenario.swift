import Foundation

/// A club whose members all read its current book. Its founder, who does not, has left notes throughout the book.
struct ClubScenario {
    struct Member {
        let reader: String
        let token: String
        let reading: String
    }

    static let memberCount = 200
    static let noteCount = 5000
    static let milestoneCount = 10

    let id: String
    let members: [Member]

    /// Creates the club over HTTP. The notes are at even distances, the last one at the end of the book.
    init(_ server: BenchServer, connections: Int) throws {
        func ask(_ requests: [[UInt8]]) throws -> [[UInt8]] {
            try PipelinedRequests.exchange(requests, port: server.port, connections: connections)
        }
        func ask(_ method: String, _ path: String, _ body: String) throws -> [UInt8] {
            try ask([server.request(method, path, body)])[0]
        }
        let book = ResponseValueExtraction.id(
            try ask("POST", "/v1/books", "{\"title\":\"The Book of the Club\",\"pageCount\":1000}"))
        let club = ResponseValueExtraction.id(try ask("POST", "/v1/clubs", "{\"name\":\"Two Hundred\"}"))
        _ = try ask("POST", "/v1/clubs/\(club)/runs", "{\"book\":\"\(book)\",\"state\":\"current\"}")
        _ = try ask(
            (1...Self.milestoneCount).map {
                let progress = Double($0) / Double(Self.milestoneCount)
                return server.request(
                    "POST", "/v1/clubs/\(club)/milestones",
                    "{\"position\":{\"progress\":\(progress)},\"dueAt\":\"\(2100 + $0)-01-01T00:00:00Z\"}")
            })
        let invitation = try ask("POST", "/v1/clubs/\(club)/invitations", "{\"usesMax\":\(Self.memberCount)}")
        let code = ResponseValueExtraction.value("\"code\":\"", invitation)

        let readers = try ask(
            (0..<Self.memberCount).map { server.request("POST", "/v1/readers", "{\"name\":\"Member \($0)\"}") }
        ).map(ResponseValueExtraction.id)
        let tokens = try readers.map { try server.token(ofReader: $0) }
        /// Sends the same request for each member.
        func askAll(_ method: String, _ path: (Int) -> String, _ body: String) throws -> [[UInt8]] {
            try ask(tokens.indices.map { server.request(method, path($0), body, as: tokens[$0]) })
        }
        _ = try askAll("POST", { _ in "/v1/memberships" }, "{\"invitation\":\"\(code)\"}")
        _ = try askAll("PATCH", { "/v1/clubs/\(club)/members/\(readers[$0])" }, "{\"shares\":\"exact\"}")
        let readings = try askAll("POST", { _ in "/v1/readings" }, "{\"book\":\"\(book)\"}").map(
            ResponseValueExtraction.id)
        _ = try askAll("POST", { _ in "/v1/clubs/\(club)/standings" }, "{}")
        _ = try ask(
            (1...Self.noteCount).map {
                let progress = Double($0) / Double(Self.noteCount)
                return server.request(
                    "POST", "/v1/notes",
                    "{\"book\":\"\(book)\",\"club\":\"\(club)\",\"position\":{\"progress\":\(progress)},\"body\":\"What a turn, this one: the \($0)th of them\"}"
                )
            })
        id = club
        members = readers.indices.map { Member(reader: readers[$0], token: tokens[$0], reading: readings[$0]) }
    }
}
