import Foundation

/// A server with many books, a club with notes, and streams of searches, and the attacks on it by one of the club's
/// two members.
struct AttackTarget {
    let server: BenchServer
    let attacks: [Attack]
    /// The reader who is not an attacker: the requests to read, and to write.
    let reads: AttackVictim
    let writes: AttackVictim

    private static let bookCount = 14_000
    private static let noteCount = 1000

    /// Fills a server without rate limits, and starts it again with them.
    init(_ server: BenchServer) throws {
        self.server = server
        try server.send(
            (0..<Self.bookCount).map { server.request("POST", "/v1/books", GeneratedBenchBooks.body($0)) })
        let club = try BenchClub(server, members: 2, notes: Self.noteCount)
        for member in club.members {
            // At the end of the book the member sees all notes.
            try server.create("/v1/readings/\(member.reading)/entries", #"{"progress":1}"#, as: member.token)
        }
        let meeting = try server.create(
            "/v1/clubs/\(club.id)/meetings", #"{"startsAt":"2090-12-01T18:30:00Z","book":"\#(club.book)"}"#)
        let (attacker, victim) = (club.members[0], club.members[1])
        reads = AttackVictim(
            perSecond: 100,
            requests: ["/v1/readings/\(victim.reading)", "/v1/books/\(club.book)"].map {
                server.request("GET", $0, as: victim.token)
            })
        writes = AttackVictim(
            perSecond: 20,
            requests: [
                server.request(
                    "POST", "/v1/readings/\(victim.reading)/entries", #"{"progress":0.5}"#, as: victim.token)
            ])
        attacks =
            try Self.streams(server, attacker)
            + Self.requests(
                server, attacker, notesOfMeeting: "/v1/clubs/\(club.id)/meetings/\(meeting)/notes")
        server.stop()
        try server.start(hasRates: true)
    }

    private static func streams(_ server: BenchServer, _ attacker: BenchClub.Member) throws -> [Attack] {
        let searches = try (0..<100).map { stream in
            let watched = (0..<200).map { #""n\#($0)":"/v1/books?q=\#(words(stream * 200 + $0))&limit=100""# }
            let body = #"{"lease":3600,"watch":{\#(watched.joined(separator: ","))}}"#
            let url = try server.create("/v1/streams", body, as: attacker.token, returning: "url")
            return server.stream(url, as: attacker.token)
        }
        let replay = server.stream("/v1/changes", fields: "Last-Event-ID: 0\r\n", as: attacker.token)
        return [
            Attack(name: "search streams", threads: 100, streamMilliseconds: 5000, requests: searches),
            Attack(name: "reopened streams", threads: 20, streamMilliseconds: 50, requests: searches),
            Attack(name: "replays", threads: 20, streamMilliseconds: 100, requests: [replay]),
        ]
    }

    private static func requests(
        _ server: BenchServer, _ attacker: BenchClub.Member, notesOfMeeting: String
    ) -> [Attack] {
        func get(_ path: String, fields: String = "") -> [UInt8] {
            server.request("GET", path, fields: fields, as: attacker.token)
        }
        func searches(_ path: String) -> [[UInt8]] { (0..<2000).map { get("\(path)?q=\(words($0))&limit=100") } }
        func batch(of entry: String, atomic: Bool) -> [UInt8] {
            let line = #"{"method":"POST","path":"/v1/readings/\#(attacker.reading)/entries","body":\#(entry)}"#
            let lines = [String](repeating: line, count: 100).joined(separator: ",")
            return server.request(
                "POST", "/v1/batch", #"{"atomic":\#(atomic),"requests":[\#(lines)]}"#, as: attacker.token)
        }
        let note = String(repeating: "a", count: 2450)
        let lists = ["title", "author", "-title"].map { get("/v1/books?limit=100&sort=\($0)") }
        let passwords = (0..<1000).map { number in
            server.request(
                "POST", "/v1/sessions", #"{"name":"n\#(number)","password":"not this","device":"none"}"#,
                as: attacker.token)
        }
        return [
            Attack(name: "searches", threads: 60, requests: searches("/v1/books")),
            Attack(name: "batches", threads: 24, requests: [batch(of: #"{"progress":0.4}"#, atomic: false)]),
            Attack(
                name: "large batches", threads: 4,
                requests: [batch(of: #"{"progress":0.4,"note":"\#(note)"}"#, atomic: true)]),
            Attack(
                name: "markdown", threads: 6, requests: [get(notesOfMeeting, fields: "Accept: text/markdown\r\n")]),
            Attack(name: "note searches", threads: 4, requests: searches("/v1/notes")),
            Attack(name: "lists", threads: 20, requests: lists),
            Attack(name: "passwords", threads: 8, requests: passwords),
        ]
    }

    /// Returns one to six common words of generated books.
    private static func words(_ number: Int) -> String {
        var random = GeneratedBenchBooks.Generator(state: UInt64(number))
        return (0..<(1 + number % 6)).map { _ in GeneratedBenchBooks.word(Int.random(in: 0..<105, using: &random)) }
            .joined(separator: "+")
    }
}
