import CSQLite
import Foundation
import Glibc
import JSON
import Outbound
import SharedByTests
import Testing

@testable import Store
@testable import lectern

@Suite("Administration", .serialized, .ownThreads)
struct AdministrationTests {
    private static func run(_ words: String...) throws -> (code: Int32, out: String) {
        let result = try Binary.run(words)
        return (result.code, result.out.trimmingCharacters(in: .whitespacesAndNewlines))
    }

    @Test("The first token is read from a file, and without a valid one nothing is created")
    func firstToken() throws {
        let data = TestDirectory.memory.path("first")
        defer { try? FileManager.default.removeItem(atPath: data) }
        let file = data + ".token"
        defer { try? FileManager.default.removeItem(atPath: file) }
        // The setting is not in the environment, which would affect other tests in this process.
        let settings = ["--admin-token-file", file]
        try "too short\n".write(toFile: file, atomically: true, encoding: .utf8)
        #expect(throws: Binary.NotServing.self) { try Binary(data: data, settings: settings) }
        #expect(!FileManager.default.fileExists(atPath: data))
        let token = String(repeating: "secret-", count: 6)
        try (token + "\n").write(toFile: file, atomically: true, encoding: .utf8)
        let server = try Binary(data: data, settings: settings)
        #expect(try Client(port: server.port, token: token).exchange("GET", "/v1/me").status == 200)
        server.stop(with: SIGTERM)
    }

    @Test("The first token can be issued once after a first start that only created a database")
    func firstTokenLate() throws {
        let data = TestDirectory.memory.path("late")
        defer { try? FileManager.default.removeItem(atPath: data) }
        let other = try Binary(data: data + "-other")
        defer { try? FileManager.default.removeItem(atPath: data + "-other") }
        #expect(throws: Binary.NotServing.self) { try Binary(data: data, listen: "127.0.0.1:\(other.port)") }
        #expect(FileManager.default.fileExists(atPath: data + "/lectern.sqlite"))
        let (file, tokens) = (data + ".token", ["a", "b"].map { String(repeating: $0, count: 43) })
        defer { try? FileManager.default.removeItem(atPath: file) }
        let settings = ["--admin-token-file", file]
        for token in tokens {
            try (token + "\n").write(toFile: file, atomically: true, encoding: .utf8)
            let server = try Binary(data: data, settings: settings)
            let status = try tokens.map { try Client(port: server.port, token: $0).exchange("GET", "/v1/me").status }
            #expect(status == [200, 401])
            server.stop(with: SIGTERM)
        }
        other.stop(with: SIGTERM)
    }

    @Test("An error in a settings file names the variable without its value, which may be a secret")
    func secretSettings() throws {
        for line in ["LECTERN_TOKN=s3cret", "s3cret", "s3cret s3cret"] {
            let error = #expect(throws: CommandError.self) {
                try SettingsFile("\n" + line, path: "file")
            }
            let text = try #require(error).description
            #expect(error?.isMisuse == true && text.contains("file, line 2") && !text.contains("s3cret"))
        }
    }

    @Test("A settings file may begin with a byte order mark, and does not name another settings file")
    func markedSettings() throws {
        let file = try SettingsFile("\u{FEFF}LECTERN_MAX_BACKUPS=3\r\n", path: "file")
        #expect(file.values.mapValues(\.text) == ["LECTERN_MAX_BACKUPS": "3"])
        #expect(throws: CommandError.misused("file, line 1: a settings file does not name another one.")) {
            try SettingsFile("LECTERN_SETTINGS=other", path: "file")
        }
    }

    @Test("A wrong value is reported with its flag, its variable, or the line of the settings file")
    func places() throws {
        let path = TestDirectory.memory.path("settings")
        defer { try? FileManager.default.removeItem(atPath: path) }
        try "# Days\nLECTERN_RETENTION_DAYS=x\n".write(toFile: path, atomically: true, encoding: .utf8)
        let variable = "LECTERN_RETENTION_DAYS"
        for (words, environment, place) in [
            (["--retention-days", "x"], [variable: "y"], "--retention-days"), ([], [variable: "x"], variable),
            ([], [:], "\(path), line 2: \(variable)"),
        ] {
            let arguments = try CommandLineArguments(["serve", "--settings", path] + words, environment: environment)
            #expect(throws: CommandError.misused("\(place) must be a whole number, not \"x\".")) {
                try arguments.number(.retentionDays)
            }
        }
    }

    @Test("A person with access to the data directory can sign in again, with or without a running server")
    func recover() throws {
        let data = TestDirectory.memory.path("recover")
        defer { try? FileManager.default.removeItem(atPath: data) }
        let first = try Binary.newData(data)
        let alone = try Self.run("admin", "recover", "--data", data)
        #expect(alone.code == 0 && alone.out.hasPrefix("lectern_"))
        let server = try Binary(data: data)
        let client = Client(port: server.port, token: first)
        let ben = try client.send("POST", "/v1/readers", #"{"name":"Ben"}"#)?["id"]?.string ?? ""
        #expect(try client.exchange("PATCH", "/v1/readers/\(ben)", #"{"suspension":{}}"#).status == 200)
        let other = try Self.run("admin", "recover", "Ben", "--data", data)
        #expect(try Client(port: server.port, token: other.out).exchange("GET", "/v1/readers").status == 200)
        #expect(try Self.run("reader", "delete", "Ben", "--data", data).code == 1)
        #expect(try Self.run("reader", "delete", "Ben", "--yes", "--data", data).out == "Ben was deleted.")
        #expect(try Client(port: server.port, token: other.out).exchange("GET", "/v1/me").status == 401)
        // The administrator as whom the command acts, with a name that a URL cannot contain.
        let me = try client.send("GET", "/v1/me")?["id"]?.string ?? ""
        #expect(try client.exchange("POST", "/v1/readers", #"{"name":"Cem","role":"administrator"}"#).status == 201)
        #expect(try client.exchange("PATCH", "/v1/me", #"{"name":"Zoë & 100 %"}"#).status == 200)
        let own = try Self.run("reader", "delete", me, "--yes", "--data", data)
        #expect(own.out == "Zoë & 100 % was deleted.", "\(own)")
        server.stop(with: SIGTERM)
    }

    @Test("The deletion of a reader's data continues after kill -9, and nothing remains")
    func killed() throws {
        let data = TestDirectory.memory.path("leave")
        defer { try? FileManager.default.removeItem(atPath: data) }
        let token = try Binary.newData(data)
        var server = try Binary(data: data)
        let client = Client(port: server.port, token: token)
        let id = try client.send("POST", "/v1/readers", #"{"name":"Xqzorbo"}"#)?["id"]?.string ?? ""
        let own = try Self.run("token", "create", "--name", "Xqtoken", "--reader", id, "--data", data).out
        let zorbo = Client(port: server.port, token: own)
        let book = try client.send("POST", "/v1/books", #"{"title":"Emma"}"#)?["id"]?.string ?? ""
        let club = try zorbo.send("POST", "/v1/clubs", #"{"name":"Xqalone"}"#)?["id"]?.string ?? ""
        // The texts have many lengths, which moves rows from page to page.
        for number in 0..<40 {
            let lines = (0..<25).map { line in
                let words = (0...(number * line % 60)).map { "Xqword\($0 &* 7919 &+ line)" }.joined(separator: " ")
                let place = line % 2 == 0 ? #","club":"\#(club)""# : ""
                let body = #"{"book":"\#(book)","body":"\#(words)"\#(place)}"#
                return #"{"method":"POST","path":"/v1/notes","body":\#(body)}"#
            }
            let batch = #"{"atomic":false,"requests":[\#(lines.joined(separator: ","))]}"#
            #expect(try zorbo.exchange("POST", "/v1/batch", batch).status == 200)
        }
        #expect(try client.exchange("DELETE", "/v1/readers/\(id)").status == 204)
        for _ in 0..<4 {
            // The server is killed during the deletion, as long as any work is left.
            let before = try Self.progress(in: data)
            #expect(try eventually { try before.isEmpty || Self.progress(in: data) != before })
            server.kill()
            server = try Binary(data: data)
        }
        let last = Client(port: server.port, token: token)
        #expect(
            try eventually {
                String(decoding: try last.exchange("GET", "/metrics").body, as: UTF8.self)
                    .contains("\nlectern_erasing 0\n")
            })
        #expect(try Self.progress(in: data) == [])
        let traces = try Self.traces(in: data)
        #expect(traces == [])
        server.stop(with: SIGTERM)
        #expect(try Self.run("check", "--data", data).code == 0)
    }

    /// Returns how far the deletion of each reader's data has come.
    private static func progress(in directory: String) throws -> [[Int64]] {
        let connection = try SQLiteConnection(path: directory + "/lectern.sqlite", flags: SQLITE_OPEN_READONLY)
        return try connection.statement(once: "SELECT reader, stage, place FROM departures ORDER BY reader").all {
            [$0.integer(0), $0.integer(1), $0.integer(2)]
        }
    }

    private static func traces(in directory: String) throws -> [String] {
        var found: Set<String> = []
        for name in try FileManager.default.contentsOfDirectory(atPath: directory) {
            guard let bytes = FileManager.default.contents(atPath: directory + "/" + name) else { continue }
            let text = String(decoding: bytes.map { $0 >= 0x20 && $0 < 0x7F ? $0 : 0x20 }, as: UTF8.self).lowercased()
            for match in text.matches(of: #/xq[a-z]{4,}/#) { found.insert("\(name): \(match.0)") }
        }
        return found.sorted()
    }
}
