import Glibc
import Model
import SharedByTests
import Testing

@testable import LecternClient

@Suite("A watched URL", .ownThreads)
struct EventStreamTests {
    private static func client(_ server: ScriptedServer) throws -> LecternClient {
        try LecternClient("http://127.0.0.1:\(server.port)/", token: "secret")
    }

    private static func event(_ seq: Int, _ name: String = "updated") -> String {
        "id: 7c9e6679-\(seq)\nevent: \(name)\ndata: {\"seq\":\(seq)}\n\n"
    }

    private static func texts(_ stream: EventStream) async throws -> [String] {
        var texts: [String] = []
        for try await event in stream { texts.append("\(event.name) \(event.cursor)") }
        return texts
    }

    @Test("An interrupted stream resumes after the last complete event, until the server ends it")
    func resuming() async throws {
        let server = ScriptedServer([
            .stream(Self.event(1, "snapshot") + Self.event(2) + "id: 7c9e6679-3\nevent: updated\ndata: {\"se"),
            .stream(":\n" + Self.event(3) + "id: 7c9e6679-5\nevent: bookmark\ndata: {}\n\n"),
            .stream(Self.event(6)), .status("204 No Content"),
        ])
        let stream = try Self.client(server).watch("/v1/books/1", after: "7c9e6679-0")
        #expect(
            try await Self.texts(stream) == [
                "snapshot 7c9e6679-1", "updated 7c9e6679-2", "updated 7c9e6679-3", "updated 7c9e6679-6",
            ])
        let sent = server.requests.map { $0.firstMatch(of: #/Last-Event-ID: (.*)\r\n/#).map { String($0.1) } }
        #expect(sent == ["7c9e6679-0", "7c9e6679-2", "7c9e6679-5", "7c9e6679-6"])
        #expect(server.requests.allSatisfy { $0.contains("Authorization: Bearer secret\r\n") })
        #expect(server.requests.allSatisfy { $0.hasPrefix("GET /v1/books/1 HTTP") && $0.contains("text/event-stream") })
    }

    @Test("Events of an incomplete transaction are delivered once")
    func parts() async throws {
        let part = "event: unlocked\ndata: {\"seq\":2}\n\n"
        let server = ScriptedServer([
            .stream(Self.event(1) + part + part), .stream(part + part + Self.event(2, "unlocked")),
            .status("204 No Content"),
        ])
        let texts = try await Self.texts(try Self.client(server).watch("/v1/changes"))
        #expect(texts == ["updated 7c9e6679-1"] + Array(repeating: "unlocked 7c9e6679-2", count: 3))
    }

    @Test("The initial snapshot of a stream of several names is delivered once and completely")
    func beginning() async throws {
        func part(_ name: String) -> String { "event: \(name)\ndata: {}\n\n" }
        let begin = part("subscribed") + part("snapshot") + part("gone") + part("snapshot")
        let server = ScriptedServer([
            Self.created, .stream(begin),
            .stream(begin + "id: 7c9e6679-4.r1\nevent: bookmark\ndata: {}\n\n" + part("gone")),
            .stream("id: 7c9e6679-5.r1\n" + part("change")), .status("204 No Content"),
        ])
        let texts = try await Self.texts(try Self.client(server).watch("/v1/clubs", "/v1/books"))
        let first = ["subscribed", "snapshot", "gone", "snapshot", "gone"].map { "\($0) 7c9e6679-4.r1" }
        #expect(texts == first + ["change 7c9e6679-5.r1"])
        #expect(server.requests[3].contains("Last-Event-ID: 7c9e6679-4.r1\r\n"))
    }

    @Test("A reset is delivered, and later events have another cursor")
    func reset() async throws {
        let server = ScriptedServer([
            .stream("event: reset\ndata: {\"reason\":\"x\"}\n\nid: aaaaaaaa-1\nevent: snapshot\ndata: {}\n\n"),
            .status("204 No Content"),
        ])
        let texts = try await Self.texts(try Self.client(server).watch("/v1/books", after: "7c9e6679-9"))
        #expect(texts == ["reset 7c9e6679-9", "snapshot aaaaaaaa-1"])
        #expect(server.requests[1].contains("Last-Event-ID: aaaaaaaa-1\r\n"))
    }

    @Test("The client retries temporary failures: no server, 503, and a proxy's empty stream")
    func passing() async throws {
        let server = ScriptedServer([
            .stream(""), .status("502 Bad Gateway", body: "<html>"),
            .status("503 Service Unavailable", "Retry-After: 1\r\n"),
            .status("429 Too Many Requests"), .stream(Self.event(1)), .status("204 No Content"),
        ])
        let texts = try await Self.texts(try Self.client(server).watch("/v1/books/1"))
        #expect(texts == ["updated 7c9e6679-1"])
    }

    @Test(
        "A permanent failure ends the stream with its reason",
        arguments: [
            ("401 Unauthorized", "token-unknown", ProblemKind.tokenUnknown), ("404 Not Found", "not-found", .notFound),
            ("400 Bad Request", "unknown-parameter", .unknownParameter),
        ])
    func refused(_ status: String, _ type: String, _ kind: ProblemKind) async throws {
        let body = "{\"type\":\"/problems/\(type)\",\"title\":\"t\",\"status\":400,\"detail\":\"d\"}"
        let server = ScriptedServer([.stream(Self.event(1)), .status(status, body: body)])
        let stream = try Self.client(server).watch("/v1/books/1")
        var received = 0
        do throws(LecternClientError) {
            for try await _ in stream { received += 1 }
            Issue.record("it was not refused")
        } catch {
            guard case .refused(let problem) = error else { throw error }
            #expect(problem.kind == kind && problem.detail == "d" && received == 1)
            #expect(problem.status == Int(status.prefix(3)))
        }
    }

    @Test("A response that is no stream, and an invalid path, are reported")
    func misunderstood() async throws {
        let server = ScriptedServer([.status("200 OK", "Content-Type: text/html\r\n", body: "hello")])
        let client = try Self.client(server)
        for stream in [client.watch("/v1/books/1"), client.watch("v1"), client.watch("/v1", after: "a\r\nX: y")] {
            await #expect(throws: LecternClientError.self) { try await Self.texts(stream) }
        }
        #expect(throws: LecternClientError.self) { try LecternClient("http://x", token: "a\nb") }
    }

    @Test(
        "A stream that another connection took over, or whose right has ended, is not reopened",
        arguments: ["taken", "end"])
    func over(_ name: String) async throws {
        let last = "event: \(name)\nretry: 86400000\ndata: {\"reason\":\"tokenRevoked\"}\n\n"
        let server = ScriptedServer([.stream(Self.event(1) + last)])
        var endings: [String] = []
        let connection = EventConnection(try Self.client(server).watch("/v1/books/1"))
        while let step = await connection.next() {
            if case .connection(.ended(let reason)) = step { endings.append("\(reason)") }
        }
        #expect(endings == [name == "end" ? "endedByServer(\"tokenRevoked\")" : "taken"])
    }

    private static let created = ScriptedServer.Answer.status(
        "201 Created", "Content-Type: application/json\r\n", body: #"{"url":"/v1/streams/1/events?secret=x"}"#)

    @Test("Several URLs are one stream, and a cursor is sent in the query")
    func several() async throws {
        let server = ScriptedServer([Self.created] + Array(repeating: .status("204 No Content"), count: 3))
        let client = try Self.client(server)
        _ = try await Self.texts(client.watch("/v1/readings?state=reading&limit=2", "/v1/clubs"))
        _ = try await Self.texts(client.watch("/v1/changes", after: ""))
        _ = try await Self.texts(client.watch("/v1/books?q=garcía m%20\r\nX: y"))
        let lines = server.requests.map { $0.prefix { $0 != "\r\n" } }
        #expect(
            lines == [
                "POST /v1/streams HTTP/1.1", "GET /v1/streams/1/events?secret=x HTTP/1.1",
                "GET /v1/changes?after= HTTP/1.1", "GET /v1/books?q=garc%C3%ADa%20m%20%0D%0AX:%20y HTTP/1.1",
            ])
    }

    @Test(
        "A stream whose lease has ended is created again, and continues from its last id where that suffices",
        arguments: ["", ".d3", ".g0000ff"])
    func lease(_ rest: String) async throws {
        let id = "0a1b2c3d-7.s0000000a.r1" + rest
        let unknown = ScriptedServer.Answer.status(
            "404 Not Found", "Content-Type: application/problem+json\r\n",
            body: #"{"type":"/problems/stream-unknown","detail":"there is no such stream"}"#)
        let server = ScriptedServer([
            Self.created, .stream("id: \(id)\nevent: bookmark\ndata: {}\n\n"), unknown, Self.created,
            .status("204 No Content"),
        ])
        _ = try await Self.texts(Self.client(server).watch("/v1/books", "/v1/clubs"))
        let heads = server.requests
        #expect(heads.count == 5 && heads[0].contains(#"{"watch":{"/v1/books":"/v1/books","/v1/clubs":"/v1/clubs"}}"#))
        #expect(heads[2].contains("Last-Event-ID: \(id)\r\n"))
        #expect(heads[4].contains("Last-Event-ID: \(rest.isEmpty ? "0a1b2c3d-7" : id)\r\n"))
    }

    @Test("A client that stops iterating closes the connection")
    func cancelling() async throws {
        let server = ScriptedServer([.stream(Self.event(1), staysOpen: true)])
        let stream = try Self.client(server).watch("/v1/books/1")
        let isLeft = await withTaskGroup(of: Void.self) { group in
            group.addTask {
                do { for try await _ in stream {} } catch { Issue.record(error) }
            }
            let isOpen = await comesTrue { server.bytesSent > 0 }
            group.cancelAll()
            return isOpen
        }
        #expect(isLeft)
        #expect(await comesTrue { server.wasLeft })
    }

    @Test("A task that leaves the loop closes the connection")
    func leaving() async throws {
        let server = ScriptedServer([.stream(Self.event(1), staysOpen: true)])
        for try await _ in try Self.client(server).watch("/v1/books/1") { break }
        #expect(await comesTrue { server.wasLeft })
    }

    @Test("Unread data is not received, and is complete in the end")
    func slow() async throws {
        let line = "id: 7c9e6679-1\nevent: updated\ndata: \"" + String(repeating: "x", count: 10_000) + "\"\n\n"
        let server = ScriptedServer([
            .stream(String(repeating: line, count: 4000)), .status("204 No Content"),
        ])
        let whole = 4000 * 10_002
        var bytes = 0
        for try await event in try Self.client(server).watch("/v1/books/1") {
            if bytes == 0 {
                #expect(settled { server.bytesSent } < whole / 2)
            }
            bytes += event.data.count
        }
        #expect(bytes == whole)
    }
}
