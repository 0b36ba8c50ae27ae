import Foundation
import HTTPServer
import JSON
import Passwords
import SharedByTests
import Testing

@testable import API
@testable import Model
@testable import Store

@Suite("Lines that no export contains", .serialized, .ownThreads)
struct StrangeLinesTests {
    private let times = "\"createdAt\":\"2026-01-02T03:04:05.678Z\",\"updatedAt\":\"2026-02-03T04:05:06.789Z\""

    private func reading(_ id: Int, _ story: ClubStory, _ more: String) -> String {
        """
        {"kind":"reading","id":"0199b7c0-0f00-7001-8000-00000000000\(id)","book":"\(story.book)",\
        "reader":"\(story.benID)","state":"reading",\(more),\(times)}
        """
    }

    @Test(
        "A reading with the greatest number has no successor, and values out of bounds are refused by name"
    )
    func numbers() throws {
        let story = try ClubStory()
        let service = story.service
        func bring(_ line: String) throws -> Answer { try service.bring([line]) }
        for more in [
            "\"number\":2147483647", "\"number\":0", "\"number\":-1", "\"number\":2,\"page\":200000",
            "\"number\":2,\"pageCount\":0",
        ] {
            let answer = try bring(reading(1, story, more))
            let name = more.split(separator: "\"").reversed().first { $0.first?.isLetter ?? false } ?? ""
            #expect(answer.text.contains("/problems/invalid") && answer.text.contains("/\(name)"), "\(answer.text)")
        }
        let last = try bring(reading(2, story, "\"number\":1000000"))
        #expect(last["created"]?.integer == 1, "\(last.text)")
        let account = "\"account\":\"\(story.benID)\","
        let more = try service.bring(
            [reading(3, story, "\"page\":1")], "/v1/me/import", more: account, token: story.ben)
        #expect(more.text.contains("readingsOfBookMax"), "\(more.text)")
        for given in ["", "\"account\":\"x\","] {
            let unknown = try service.bring([], "/v1/me/import", more: given, token: story.ben)
            #expect(unknown.pointers == ["/account"], "\(unknown.text)")
        }
        let new = try service.send(
            "POST", "/v1/readings", "{\"book\":\"\(story.book)\",\"isReread\":true}", token: story.ben)
        #expect(new.status == 409 && new["limit"]?["name"]?.string == "readingsOfBookMax", "\(new.text)")
    }

    @Test("An entry's position is imported completely, or the line is refused")
    func places() throws {
        let story = try ClubStory()
        for (id, more) in ["\"depth\":5", "\"chaptersAt\":3", "\"floor\":1", ""].enumerated() {
            let line = """
                {"kind":"entry","id":"0199b7c0-0f00-7001-8000-00000000000\(id)","reading":"\(story.reading)","progress":0.1,\
                "page":null,"note":null,"device":null,"happenedAt":"2026-01-02T03:04:05.678Z",\
                "receivedAt":"2026-01-02T03:04:05.678Z"\(more.isEmpty ? "" : ",")\(more)}
                """
            let answer = try story.service.bring(
                [line], "/v1/me/import", more: "\"account\":\"\(story.benID)\",", token: story.ben)
            #expect(answer["created"]?.integer == (more.isEmpty ? 1 : 0), "\(answer.text)")
        }
    }

    @Test(
        "A second row with a unique value is refused by name, without the database's own message"
    )
    func rivals() throws {
        let story = try ClubStory()
        let service = story.service
        let put = try service.send("PUT", "/v1/shelves/\(story.benID)/books/\(story.book)", "{}", token: story.ben)
        #expect(put.status == 201)
        let line = """
            {"kind":"shelfBook","id":"0199b7c0-0f00-7001-8000-000000000001","shelf":"\(story.benID)",\
            "book":"\(story.book)","place":7,\(times)}
            """
        let account = "\"account\":\"\(story.benID)\","
        let own = try service.bring([line], "/v1/me/import", more: account, token: story.ben)
        #expect(own.text.contains("import-differs") && own.text.contains("same shelf and book"), "\(own.text)")
        let ada = try service.send("GET", "/v1/me", token: story.ada)["id"]?.string ?? ""
        let member = """
            {"kind":"member","id":"0199b7c0-0f00-7001-8000-000000000002","club":"\(story.club)","reader":"\(ada)",\
            "name":"Ada","role":"member","shares":"nothing",\(times)}
            """
        let again = reading(3, story, "\"number\":1")
        let second = try service.bring([again])
        #expect(second.text.contains("import-differs") && second.text.contains("only one"), "\(second.text)")
        let other = try service.bring([member])
        #expect(other.text.contains("\"/id\"") && other.text.contains("follows from the club"), "\(other.text)")
        // In an account's export, which has no numbers, it becomes the next one.
        let next = reading(3, story, "\"page\":1")
        #expect(try service.bring([next], "/v1/me/import", more: account, token: story.ben)["created"]?.integer == 1)
    }

    @Test(
        "An imported rating is of one's own reading, under its id, with valid stars and an own note about the book or none"
    )
    func ratings() throws {
        let story = try ClubStory()
        let adas = try story.service.make("/v1/readings", "{\"book\":\"\(story.book)\"}", token: story.ada)
        let foreign = try story.note("0")
        func bring(_ id: String, of reading: String, _ stars: String, note: String = "null") throws -> Answer {
            let line = """
                {"kind":"rating","id":"\(id)","reading":"\(reading)","stars":\(stars),"noteId":\(note),\(times)}
                """
            return try story.service.bring(
                [line], "/v1/me/import", more: "\"account\":\"\(story.benID)\",", token: story.ben)
        }
        for (id, reading, stars, pointer) in [
            (adas, story.reading, "4", "/id"), (adas, adas, "4", "/reading"), (story.book, story.book, "4", "/reading"),
            (story.reading, story.reading, "4.2", "/stars"), (story.reading, story.reading, "null", "/stars"),
        ] {
            let answer = try bring(id, of: reading, stars)
            #expect(answer["created"]?.integer == 0 && answer.text.contains("\"\(pointer)\""), "\(answer.text)")
        }
        let path = "/v1/readings/\(story.reading)/rating"
        for note in [foreign, story.book] {
            let answer = try bring(story.reading, of: story.reading, "4.5", note: "\"\(note)\"")
            #expect(answer.text.contains("\"/noteId\""), "\(answer.text)")
            #expect(answer.text.contains("does not exist here"))
            #expect(try story.service.send("GET", path, token: story.ben).status == 404)
        }
        #expect(try bring(story.reading, of: story.reading, "4.5")["created"]?.integer == 1)
        let rating = try story.service.send("GET", path, token: story.ben)
        #expect(rating["noteId"]?.isNull == true && rating["book"]?.string == story.book, "\(rating.text)")
        #expect(rating.text.contains(#""stars":4.5,"#) && rating.text.contains("2026-02-03T04:05:06.789Z"))
        // A line without a review leaves the review that is here.
        let own = try story.service.make(
            "/v1/notes", "{\"book\":\"\(story.book)\",\"body\":\"mine\"}", token: story.ben)
        let reviewed = "{\"stars\":4.5,\"noteId\":\"\(own)\"}"
        #expect(try story.service.send("PUT", path, reviewed, token: story.ben).status == 200)
        #expect(try bring(story.reading, of: story.reading, "4.5")["unchanged"]?.integer == 1)
        #expect(try story.service.send("GET", path, token: story.ben)["noteId"]?.string == own)
    }

    @Test("An imported reading without an entry reference shows its last entry, and a finished one stays finished")
    func unsaidEntries() throws {
        let story = try ClubStory()
        let service = story.service
        func entry(_ id: Int, _ progress: String, _ time: String, received: String? = nil) -> String {
            """
            {"kind":"entry","id":"0199b7c0-0f00-7001-8000-00000000001\(id)",\
            "reading":"0199b7c0-0f00-7001-8000-000000000002","progress":\(progress),"page":null,"note":null,\
            "device":null,"happenedAt":"\(time)","receivedAt":"\(received ?? time)"}
            """
        }
        let lines = [
            reading(2, story, "\"latestEntry\":null,\"finishedAt\":\"2026-01-02T03:04:05.678Z\""),
            // A fast device clock, as in exports of earlier versions.
            entry(1, "0.2", "2026-01-09T00:00:00.000Z", received: "2026-01-02T00:00:00.000Z"),
            entry(2, "0.3", "2026-01-03T00:00:00.000Z"),
            entry(3, "0.1", "2026-01-01T00:00:00.000Z"),
            reading(3, story, "\"progress\":0.1").replacing(
                "\"reading\",\"progress\"", with: "\"finished\",\"progress\""),
        ]
        let account = "\"account\":\"\(story.benID)\","
        let answer = try service.bring(lines, "/v1/me/import", more: account, token: story.ben)
        #expect(answer["created"]?.integer == 5, "\(answer.text)")
        func get(_ id: Int) throws -> Answer {
            try service.send("GET", "/v1/readings/0199b7c0-0f00-7001-8000-00000000000\(id)", token: story.ben)
        }
        let open = try get(2)
        #expect(open["progress"]?.double == 0.3 && open["finishedAt"]?.isNull == true, "\(open.text)")
        #expect(open["latestEntry"]?.string == "0199b7c0-0f00-7001-8000-000000000012", "\(open.text)")
        let entries = try service.send("GET", "/v1/readings/\(open["id"]?.string ?? "")/entries", token: story.ben)
        #expect(!entries.text.contains("2026-01-09") && entries.text.contains("2026-01-02"), "\(entries.text)")
        #expect(
            try service.bring([lines[1]], "/v1/me/import", more: account, token: story.ben)["unchanged"]?.integer == 1)
        let finished = try get(3)
        #expect(finished["progress"]?.double == 1 && finished["finishedAt"]?.string != nil, "\(finished.text)")
        let replaced = try service.bring(
            [lines[0]], "/v1/me/import", more: account + "\"replace\":true,", token: story.ben)
        #expect(replaced["refused"]?.elements.map { _ in 1 } == [], "\(replaced.text)")
        #expect(try get(2)["latestEntry"]?.string == "0199b7c0-0f00-7001-8000-000000000012")
        // The entries stay, so the progress does, too.
        let older = reading(2, story, "\"latestEntry\":null,\"progress\":0,\"page\":null,\"pageCount\":100")
        let reset = try service.bring([older], "/v1/me/import", more: account + "\"replace\":true,", token: story.ben)
        #expect(reset["updated"]?.integer == 1, "\(reset.text)")
        let kept = try get(2)
        #expect(kept["progress"]?.double == 0.3 && kept["page"]?.integer == 30, "\(kept.text)")
    }

    @Test("A request to join that is imported for a member can be accepted, and changes no membership")
    func memberAsks() throws {
        let story = try ClubStory(club: #","visibility":"listed""#)
        let service = story.service
        let request = "01890000-0000-7000-8000-00000000a5c1"
        let line = """
            {"kind":"joinRequest","id":"\(request)","club":"\(story.club)","reader":"\(story.benID)","name":"Ben",\
            "message":null,"state":"waiting","createdAt":"2026-01-01T00:00:00.000Z","updatedAt":"2026-01-01T00:00:00.000Z"}
            """
        #expect(try service.bring([line])["created"]?.integer == 1)
        let accepted = try service.send(
            "PATCH", "/v1/requests/\(request)", "{\"state\":\"accepted\"}", token: story.ada)
        #expect(accepted.status == 200 && accepted["state"]?.string == "accepted", "\(accepted.text)")
        let members = try service.send("GET", "/v1/clubs/\(story.club)/members", token: story.ada)["items"]
        #expect(members?.elements.count { $0["reader"]?.string == story.benID } == 1)
    }

    @Test("An imported account has a valid name, and a hash that can be checked in the usual time")
    func accounts() throws {
        let service = try TestService()
        let id = try service.make("/v1/readers", "{\"name\":\"Ben\"}")
        func bring(_ folded: String, _ hash: String) throws -> Answer {
            try service.bring([
                "{\"kind\":\"account\",\"reader\":\"\(id)\",\"name\":\"Ben\",\"folded\":\"\(folded)\",\"password\":\"\(hash)\"}"
            ])
        }
        let hash = try #require(PasswordHasher(mebibytes: 2)?.hash(Password(given: "a long password")))
        for other in [
            "x", "", "$y$x", "$6$rounds=999999999$salt$hash", hash.replacing("$y$j", with: "$y$k"), hash + "x",
            hash.replacing("$y$j85", with: "$y$jUT"), String(hash.dropLast()), hash.replacing("$y$", with: "$gy$"),
            hash.replacing("$y$j85", with: "$y$jBT"),
        ] {
            let answer = try bring("ben", other)
            #expect(answer.text.contains("/password") && answer["created"]?.integer == 0, "\(other): \(answer.text)")
        }
        // Other versions fold names otherwise.
        #expect(try bring("Ben of another version", hash)["created"]?.integer == 1)
        #expect(try bring("ben", hash)["unchanged"]?.integer == 1)
    }

    @Test("A note with an unknown author or a threshold in no scale is refused at its member")
    func notes() throws {
        let story = try ClubStory()
        let place = "\"progress\":0.75,\"position\":{\"page\":300},\"share\":0.8"
        for (more, pointer) in [
            ("\"audience\":\"moderators\"", "/audience"), ("\"audience\":\"club\"", "/audience"),
            ("\"audience\":\"me\"", "/audience"), ("\"scale\":\"miles\",\"at\":1", "/scale"),
            ("\"scale\":\"pages 400\"", "/scale"), ("\"scale\":\"pages 400\",\"at\":300000000", nil),
        ] {
            let line = """
                {"kind":"note","id":"0199b7c0-0f00-7001-8000-000000000001","book":"\(story.book)","club":null,"thread":null,\
                "author":"\(story.benID)","body":"x",\(place),\(more),\(times)}
                """
            let answer = try story.service.bring([line])
            #expect(answer["created"]?.integer == (pointer == nil ? 1 : 0), "\(more): \(answer.text)")
            if let pointer { #expect(answer.text.contains("\"\(pointer)\""), "\(more): \(answer.text)") }
        }
    }

    @Test("A standing whose reading is missing or another reader's is not imported; others keep their times")
    func standings() throws {
        let story = try ClubStory()
        let service = story.service
        let path = "/v1/clubs/\(story.club)/members/\(story.benID)"
        let apart = #"{"sharesWithModerators":"exact"}"#
        #expect(try service.send("PATCH", path, apart, token: story.ben).status == 200)
        try story.choose()
        _ = try service.make("/v1/clubs/\(story.club)/standings", "{\"book\":\"\(story.book)\"}", token: story.ben)
        let others = try service.make("/v1/readings", "{\"book\":\"\(story.book)\"}", token: story.ada)
        let lines = try service.lines("/v1/admin/export").dropFirst().dropLast()
        let standing = try #require(lines.first { $0.hasPrefix("{\"kind\":\"standing\"") })
        #expect(standing.contains(story.reading))
        let changed = [others, OwnIDTests.id].map { standing.replacing(story.reading, with: $0) }
        let rest = lines.filter { $0 != standing }
        let to = try TestService()
        let first = try to.bring(Array(rest))
        #expect(first.text.contains("\"refused\":[]"), "\(first.text)")
        for line in changed {
            let answer = try to.bring([line])
            #expect(answer["created"]?.integer == 0 && answer.text.contains("/reading"), "\(answer.text)")
        }
        #expect(try to.bring([standing])["created"]?.integer == 1)
        let ada = try service.send("GET", "/v1/me", token: story.ada)["id"]?.string ?? ""
        let token = try to.send("POST", "/v1/tokens", "{\"name\":\"t\",\"reader\":\"\(ada)\"}")["token"]?.string
        let seen = try to.send("GET", "/v1/clubs/\(story.club)/standings", token: token)["items"]?.elements.first { _ in
            true
        }
        let updated = try #require(seen?["updatedAt"]?.string)
        #expect(standing.contains("\"updatedAt\":\"\(updated)\""), "\(standing) \(updated)")
    }

    @Test("Every supported cost of a hash can be imported")
    func costs() throws {
        for mebibytes in [1, 2, 4, 8, 16, 32] {
            let hash = try #require(PasswordHasher(mebibytes: mebibytes)?.hash(Password(given: "a long password")))
            #expect(ExportColumn.isPasswordHash(hash, mebibytesMax: mebibytes), "\(hash)")
            #expect(!ExportColumn.isPasswordHash(hash, mebibytesMax: mebibytes - 1), "\(hash)")
        }
    }

    @Test("No cell of the CSV export begins like a spreadsheet formula")
    func formulas() {
        for text in [
            "=1", "+1", "-1", "@a", "\t=1", "\r=1", "\n=1", "\u{FF1D}1", "\u{FF0B}1", "\u{FF0D}1", "\u{FF20}a",
        ] {
            #expect(ReadingsCSV.isFormula(Array(text.utf8)), "\(text)")
        }
        for text in ["", "a=1", "\u{FF1E}", " ", "1"] { #expect(!ReadingsCSV.isFormula(Array(text.utf8))) }
    }

    @Test("A cell of a CSV export is one cell for every separator")
    func separators() throws {
        let service = try TestService()
        let ben = try service.reader("Ben")
        let book = try service.make("/v1/books", "{\"title\":\"nice;=cmd\"}", token: ben)
        _ = try service.make("/v1/readings", "{\"book\":\"\(book)\"}", token: ben)
        let table = try service.send("GET", "/v1/me/export?format=csv", token: ben).text
        #expect(table.contains("\r\nreading,\"nice;=cmd\","), "\(table)")
    }

    @Test("Each line of a text in a Markdown export is quoted, whatever ends the line before it")
    func quotations() throws {
        let story = try ClubStory()
        let body = "{\"book\":\"\(story.book)\",\"body\":\"a\\n# b\\u2028# c\"}"
        _ = try story.service.make("/v1/notes", body, token: story.ben)
        let text = try story.service.send("GET", "/v1/me/export?format=markdown", token: story.ben).text
        for line in ["a", "# b", "# c"] { #expect(text.contains("> \(line)\n"), "\(text)") }
    }

    @Test("A client that closes its sending side after the request gets the whole export")
    func halfClosed() throws {
        let service = try TestService()
        let wire = try Wire(service)
        wire.send(
            "GET /v1/me/export HTTP/1.1\r\nHost: t\r\nAuthorization: Bearer \(service.token)\r\nConnection: close\r\n\r\n"
        )
        wire.finishSending()
        let answer = wire.read(until: "\u{0}")
        #expect(answer.contains("{\"kind\":\"end\"") && answer.hasSuffix("\r\n0\r\n\r\n"), "\(answer)")
    }

    @Test("An export ends without its last line when its token is revoked, or its reader is suspended or deleted")
    func endOfAccess() throws {
        let service = try TestService()
        let ben = try service.reader("ben")
        let me = try service.send("GET", "/v1/me", token: ben)
        let path = "/v1/readers/\(me["id"]?.string ?? "")"
        let book = try service.send("POST", "/v1/books", #"{"title":"x"}"#)["id"]?.string ?? ""
        let note = #"{"book":"\#(book)","body":"\#(String(repeating: "x", count: 9000))"}"#
        let line = #"{"method":"POST","path":"/v1/notes","body":\#(note)}"#
        let batch = #"{"atomic":false,"requests":[\#(Array(repeating: line, count: 25).joined(separator: ","))]}"#
        // More than the sockets take while the client does not read.
        for _ in 0..<28 {
            let made = try service.send("POST", "/v1/batch", batch, token: ben)
            #expect(made.status == 200, "\(made.text.prefix(300))")
        }
        let phone = try service.send("POST", "/v1/tokens", #"{"name":"phone"}"#, token: ben)
        func download(_ token: String, _ end: () throws -> Answer) throws {
            let wire = try Wire(service)
            wire.send("GET /v1/me/export HTTP/1.1\r\nHost: t\r\nAuthorization: Bearer \(token)\r\n\r\n")
            let head = wire.read(until: "\r\n\r\n")
            #expect(head.hasPrefix("HTTP/1.1 200"), "\(head.prefix(300))")
            #expect(try end().status / 100 == 2)
            let rest = wire.read(until: "\u{0}")
            #expect(!rest.contains("{\"kind\":\"end\"") && !rest.hasSuffix("\r\n0\r\n\r\n"))
        }
        try download(phone["token"]?.string ?? "") {
            try service.send("DELETE", "/v1/tokens/\(phone["id"]?.string ?? "")", token: ben)
        }
        try download(ben) { try service.send("PATCH", path, #"{"suspension":{}}"#) }
        #expect(try service.send("PATCH", path, #"{"suspension":null}"#).status == 200)
        try download(ben) { try service.send("DELETE", "\(path)?confirm=\(me["name"]?.string ?? "")") }
        // The files are nameless, and gone when they are closed: the loop may do so just after it ends the connection.
        let file = "\(service.directory)/lectern-temporary-"
        let areClosed = try eventually {
            let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap {
                try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
            }
            return !open.contains { $0.hasPrefix(file) }
        }
        #expect(areClosed)
    }

    @Test("A file is kept for a client for the time at the lowest rate, and some minutes")
    func ends() {
        #expect(ExportDownloads.millisecondsMax(ofBytes: 0) == 600_000)
        #expect(ExportDownloads.millisecondsMax(ofBytes: 64 << 20) == 600_000 + 1_024_000)
    }
}
