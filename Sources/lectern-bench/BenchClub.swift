import Foundation

/// A club whose members all read its current book, with standings and milestones. Its founder, who does not, has left
/// notes throughout the book.
struct BenchClub {
    struct Member: Sendable {
        let token: String
        let reading: String
    }

    let id: String
    let book: String
    let members: [Member]

    /// Creates the club over HTTP. The notes are at even distances, the last one at the end of the book.
    init(_ server: BenchServer, members memberCount: Int, notes noteCount: Int) throws {
        let book = try server.create("/v1/books", #"{"title":"The Book of the Club","pageCount":1000}"#)
        let club = try server.create("/v1/clubs", #"{"name":"Readers"}"#)
        (self.book, id) = (book, club)
        try server.create("/v1/clubs/\(club)/runs", #"{"book":"\#(book)","state":"current"}"#)
        for tenth in 1...10 {
            try server.create(
                "/v1/clubs/\(club)/milestones",
                #"{"position":{"progress":\#(Double(tenth) / 10)},"dueAt":"\#(2100 + tenth)-01-01T00:00:00Z"}"#)
        }
        let code = try server.create(
            "/v1/clubs/\(club)/invitations", #"{"usesMax":\#(memberCount)}"#, returning: "code")
        members = try (0..<memberCount).map { number in
            let reader = try server.create("/v1/readers", #"{"name":"Member \#(number)"}"#)
            let token = try server.token(ofReader: reader)
            try server.create("/v1/memberships", #"{"invitation":"\#(code)"}"#, as: token)
            try server.send([
                server.request("PATCH", "/v1/clubs/\(club)/members/\(reader)", #"{"shares":"exact"}"#, as: token)
            ])
            let reading = try server.create("/v1/readings", #"{"book":"\#(book)"}"#, as: token)
            try server.create("/v1/clubs/\(club)/standings", "{}", as: token)
            return Member(token: token, reading: reading)
        }
        try server.send(
            (1...noteCount).map { number in
                let position = #"{"progress":\#(Double(number) / Double(noteCount))}"#
                return server.request(
                    "POST", "/v1/notes",
                    #"{"book":"\#(book)","club":"\#(club)","position":\#(position),"body":"What the letters of chapter \#(number) say"}"#
                )
            })
    }
}
