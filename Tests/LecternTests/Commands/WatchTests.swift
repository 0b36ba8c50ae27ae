import Foundation
import Glibc
import JSON
import LecternClient
import SharedByTests
import Testing

@testable import lectern

@Suite("lectern watch", .serialized, .ownThreads)
struct WatchTests {
    private let data = TestDirectory.memory.path("watching")

    /// Starts a server with a reading.
    private func serving() throws -> (server: Binary, token: String, client: Client, reading: String) {
        let token = try Binary.newData(data)
        let server = try Binary(data: data)
        let client = Client(port: server.port, token: token)
        return (server, token, client, try client.setUp())
    }

    private func remove() { try? FileManager.default.removeItem(atPath: data) }

    @Test(
        "`lectern watch` connects to the server of the data directory, prints each event's data, and exits with 0 when stopped"
    )
    func socket() throws {
        defer { remove() }
        let (server, _, client, reading) = try serving()
        let watch = try WatchProcess(["/v1/readings/\(reading)", "--data", data])
        #expect(try eventually { try watch.hasLines(1) }, "\(watch.output)")
        _ = try client.send("PATCH", "/v1/readings/\(reading)", "{\"isFinished\":true}")
        #expect(try eventually { try watch.hasLines(2) }, "\(watch.output)")
        #expect(try watch.end(SIGINT) == 0)
        let lines = try watch.lines.map { try JSONDocument($0).root }
        #expect(lines[0]["id"]?.string == reading && lines[1]["value"]?["state"]?.string == "finished")
        // The printed cursor resumes there.
        let cursor = try #require(watch.output.firstMatch(of: #/with --after (\S+)/#)?.1)
        _ = try client.send("PATCH", "/v1/readings/\(reading)", "{\"isFinished\":false}")
        let next = try WatchProcess(["/v1/readings/\(reading)", "--data", data, "--after", String(cursor)])
        #expect(try eventually { try next.hasLines(1) }, "\(next.output)")
        #expect(try next.end(SIGTERM) == 0)
        #expect(try JSONDocument(next.lines[0]).root["changed"] != nil)
        server.kill()
    }

    @Test("`lectern watch` follows several URLs on one connection, and continues after kill -9 without a new snapshot")
    func several() throws {
        defer { remove() }
        let (server, token, client, reading) = try serving()
        let book = try #require(try client.send("GET", "/v1/readings/\(reading)")?["book"]?.string)
        let names = ["/v1/books/\(book)", "/v1/readings?state=reading"]
        let watch = try WatchProcess(names + ["--server", "http://127.0.0.1:\(server.port)", "--token", token])
        #expect(try eventually { try watch.hasLines(3) }, "\(watch.output)")
        _ = try client.send("PATCH", "/v1/books/\(book)", "{\"title\":\"Dawn\"}")
        #expect(try eventually { try watch.hasLines(4) }, "\(watch.output)")
        server.kill()
        let again = try Binary(data: data, listen: "127.0.0.1:\(server.port)")
        _ = try client.send("PATCH", "/v1/readings/\(reading)", "{\"isFinished\":true}")
        #expect(try eventually { try watch.hasLines(5) }, "\(watch.output)")
        #expect(try watch.end(SIGTERM) == 0)
        let lines = try watch.lines.map { try JSONDocument($0).root }
        #expect(lines.count == 5 && lines[0]["names"]?.elements.compactMap(\.string) == names)
        #expect(lines[1...2].map { $0["name"]?.string } == names)
        let received = lines[3...].map {
            $0["for"]?.elements.map { "\($0["name"]?.string ?? "") \($0["event"]?.string ?? "")" }
        }
        #expect(received == [["\(names[0]) updated"], ["\(names[1]) leave"]])
        again.kill()
    }

    @Test(
        "`lectern watch` exits with 1 when refused, 3 when the server ends the stream, and 2 for wrong arguments")
    func codes() throws {
        defer { remove() }
        let (server, token, client, reading) = try serving()
        let url = "http://127.0.0.1:\(server.port)"
        func code(_ arguments: String...) throws -> Int32 { try WatchProcess(arguments).end() }
        #expect(try code("/v1/books/\(reading)", "--server", url, "--token", token) == 1)
        #expect(try code("/v1/me", "--server", url, "--token", "none") == 1)
        #expect(try code("/v1/me", "--data", data + "-none") == 1)
        #expect(try code("/v1/me", "--server", url) == 2)
        #expect(try code("v1/me", "--data", data) == 2)
        #expect(try code("--data", data) == 2)
        #expect(try code(url + "/v1/me", "--token", token) == 2)
        let other = try #require(try client.send("POST", "/v1/tokens", "{\"name\":\"other\"}"))
        let secret = try #require(other["token"]?.string)
        let watch = try WatchProcess(["/v1/readings/\(reading)", "--server", url, "--token", secret])
        #expect(try eventually { try watch.hasLines(1) }, "\(watch.output)")
        _ = try client.exchange("DELETE", "/v1/tokens/\(other["id"]?.string ?? "")")
        #expect(try watch.end() == 3 && watch.lines.count == 1, "\(watch.output)")
        // A resource that was deleted before the cursor, while other changes go on.
        _ = try client.exchange("DELETE", "/v1/readings/\(reading)")
        let cursor = try #require(try client.send("GET", "/v1/changes")?["head"]?.string)
        _ = try client.send("POST", "/v1/books", "{\"title\":\"Dawn\"}")
        #expect(try code("/v1/readings/\(reading)", "--server", url, "--token", token, "--after", cursor) == 1)
    }

    @Test(
        "For people each event is one line",
        arguments: [
            (
                "updated",
                #"{"at":"2026-01-21T09:30:00.000Z","resource":"reading","id":"7","changed":["page"],"value":{"id":"7","page":9,"state":"x"}}"#,
                "09:30:00  updated   reading 7: page 9\n"
            ),
            (
                "leave", #"{"at":"2026-01-21T09:30:00.000Z","resource":"book","id":"7","reason":"deleted"}"#,
                "09:30:00  leave     book 7: deleted\n"
            ),
            (
                "snapshot", #"{"items":[{"id":"7","version":2,"isbn":null,"title":"A"}],"next":null}"#,
                "now       1 in the list\n          id \"7\", title \"A\"\n"
            ),
            ("snapshot", #"{"name":"now","seq":4,"value":{"id":"7"}}"#, "now       now: id \"7\"\n"),
            ("reset", #"{"reason":"it is old"}"#, "          reset     it is old\n"),
            (
                "change",
                #"{"for":[{"name":"a","event":"updated"},{"name":"b","event":"enter"}],"at":"2026-01-21T09:30:00.000Z","resource":"book","id":"7","value":{"id":"7"}}"#,
                "09:30:00  a updated, b enter book 7: id \"7\"\n"
            ),
        ])
    func text(_ name: String, _ data: String, _ line: String) throws {
        #expect(try WatchEventFormat.text(name, JSONDocument(Array(data.utf8)).root) == line)
    }

    @Test("The README's example works as described")
    func example() throws {
        defer { remove() }
        let (server, token, client, reading) = try serving()
        let process = Process()
        process.executableURL = URL(filePath: Binary.path + "-example")
        process.arguments = ["http://127.0.0.1:\(server.port)", token]
        let out = Pipe()
        process.standardOutput = out
        try process.run()
        // The program prints nothing until its output is full, or it ends. Its effect is checked here.
        #expect(
            try eventually { try client.send("GET", "/v1/readings/\(reading)")?["pageCount"]?.integer == 400 })
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        server.kill()
    }
}
