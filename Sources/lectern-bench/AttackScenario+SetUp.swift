import Foundation

extension AttackScenario {
    /// Creates the data of a server: many books, a club with notes, and a stream of searches.
    func setUp(_ server: BenchServer) throws -> Target {
        guard let connection = BenchConnection(port: server.port) else { throw Failure.unreachable }
        func ask(_ method: String, _ path: String, _ body: String, as token: String? = nil) throws -> [UInt8] {
            while true {
                let request = server.request(method, path, body, as: token)
                guard let answer = connection.exchange(request, keepingBody: true) else { throw Failure.unreachable }
                if (200...299).contains(answer.status) { return answer.body }
                guard answer.status == 429 else {
                    throw Failure.refused("\(method) \(path): \(String(decoding: answer.body, as: UTF8.self))")
                }
                usleep(100_000)
            }
        }
        func make(_ path: String, _ body: String, as token: String? = nil) throws -> String {
            ResponseValueExtraction.id(try ask("POST", path, body, as: token))
        }
        func makeAll(_ count: Int, _ path: String, _ body: (Int) -> String) throws {
            for start in stride(from: 0, to: count, by: 100) {
                let lines = (start..<start + 100).map { #"{"method":"POST","path":"\#(path)","body":\#(body($0))}"# }
                _ = try ask("POST", "/v1/batch", #"{"atomic":false,"requests":[\#(lines.joined(separator: ","))]}"#)
            }
        }
        let books = GeneratedBenchBooks(count: Self.bookCount)
        try makeAll(Self.bookCount, "/v1/books") { books.body($0) }
        let book = try make("/v1/books", #"{"title":"The Book of the Club","pageCount":1000}"#)
        let club = try make("/v1/clubs", #"{"name":"Readers"}"#)
        _ = try make("/v1/clubs/\(club)/runs", #"{"book":"\#(book)","state":"current"}"#)
        let readers = try ["Mallory", "Ben"].map { try make("/v1/readers", #"{"name":"\#($0)"}"#) }
        let tokens = try readers.map { try server.token(ofReader: $0) }
        let code = ResponseValueExtraction.value(
            "\"code\":\"", try ask("POST", "/v1/clubs/\(club)/invitations", #"{"usesMax":2}"#))
        for token in tokens { _ = try ask("POST", "/v1/memberships", #"{"invitation":"\#(code)"}"#, as: token) }
        let readings = try tokens.map { try make("/v1/readings", #"{"book":"\#(book)"}"#, as: $0) }
        try makeAll(Self.noteCount, "/v1/notes") {
            #"{"book":"\#(book)","club":"\#(club)","threshold":"everyone","body":"\#(books.body($0).prefix(200).replacing("\"", with: ""))"}"#
        }
        let meeting = try make("/v1/clubs/\(club)/meetings", #"{"startsAt":"2090-12-01T18:30:00Z","book":"\#(book)"}"#)
        let streams = try (0..<100).map { stream in
            let watched = (0..<200).map { #""n\#($0)":"/v1/books?q=\#(Self.words(stream * 200 + $0))&limit=100""# }
            let body = #"{"lease":3600,"watch":{\#(watched.joined(separator: ","))}}"#
            let url = ResponseValueExtraction.value("\"url\":\"", try ask("POST", "/v1/streams", body, as: tokens[0]))
            return url.range(of: "/v1/").map { String(url[$0.lowerBound...]) } ?? url
        }
        return Target(
            port: server.port, mallory: tokens[0], ben: tokens[1], mallorysReading: readings[0],
            bensReading: readings[1],
            bensBook: book, meeting: "/v1/clubs/\(club)/meetings/\(meeting)", streams: streams)
    }

    enum Failure: Error {
        case unreachable
        case refused(String)
    }
}
