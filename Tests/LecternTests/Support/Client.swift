import Foundation
import Glibc
import JSON
import Outbound
import SharedByTests
import Synchronization

/// A client of a server. Confined to one thread.
final class Client {
    private let base: String
    private let token: String
    private let http = try? HTTPClient(secondsMax: patienceSeconds)

    init(port: Int, token: String) {
        base = "http://127.0.0.1:\(port)"
        self.token = token
    }

    func exchange(
        _ method: String, _ path: String, _ body: String? = nil, fields more: [String] = []
    ) throws -> HTTPClientResponse {
        let fields = more + ["Authorization: Bearer \(token)", "Expect:", "Content-Type: application/json"]
        guard let http else { throw CocoaError(.featureUnsupported) }
        return try http.send(method, base + path, fields: fields, body: body.map { Array($0.utf8) })
    }

    /// Returns the JSON of a successful response, or `nil` for another one.
    func send(_ method: String, _ path: String, _ body: String? = nil) throws -> JSONValue? {
        let response = try exchange(method, path, body)
        return (200...299).contains(response.status) ? try JSONDocument(response.body).root : nil
    }

    /// Returns the id of the created resource, or `nil` if the server is gone.
    func write(_ path: String, _ body: String) -> String? { try? send("POST", path, body)?["id"]?.string }

    func setUp() throws -> String {
        let book = write("/v1/books", "{\"title\":\"Kindred\"}") ?? ""
        return write("/v1/readings", "{\"book\":\"\(book)\"}") ?? ""
    }

    func head() throws -> String { try pages().next }

    struct Logged {
        let seq: Int64
        let resource: String
        let id: String
    }

    /// Returns the log from `/v1/changes`.
    func log() throws -> [Logged] { try pages().log }

    private func pages() throws -> (log: [Logged], next: String) {
        var log: [Logged] = []
        var next = ""
        while true {
            let page = try send("GET", "/v1/changes?limit=100&after=\(next)")
            let items = page?["items"]?.elements.map { $0 } ?? []
            next = page?["next"]?.string ?? next
            if items.isEmpty { return (log, next) }
            log += items.map {
                Logged(seq: $0["seq"]?.integer ?? 0, resource: $0["resource"]?.string ?? "", id: $0["id"]?.string ?? "")
            }
        }
    }
}

/// Reads the change stream on a thread, with HTTP/1.0, until the server is gone. It passes on the id of each complete
/// event.
final class StreamReader: Sendable {
    private let done = DispatchSemaphore(value: 0)
    private let ended = Atomic(false)

    init(port: Int, token: String, after: String, _ take: @escaping @Sendable (String) -> Void) {
        Thread { [self] in
            Self.read(port: port, token: token, after: after, take)
            ended.store(true, ordering: .releasing)
            done.signal()
        }.start()
    }

    /// A Boolean value indicating whether the server ended the stream, or is gone.
    var hasEnded: Bool { ended.load(ordering: .acquiring) }

    func wait() { done.wait() }

    private static func read(port: Int, token: String, after: String, _ take: (String) -> Void) {
        let request =
            "GET /v1/changes HTTP/1.0\r\nHost: t\r\nAccept: text/event-stream\r\nAuthorization: Bearer \(token)\r\nLast-Event-ID: \(after)\r\n\r\n"
        let descriptor = Loopback.connect(port: port, sending: request)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var pending: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { return }
            pending += buffer[..<count]
            // Only complete events count. An event that is cut was not received.
            var start = 0
            for end in pending.indices.dropLast() where pending[end] == 10 && pending[end + 1] == 10 {
                let block = String(decoding: pending[start..<end], as: UTF8.self)
                start = end + 2
                guard block.contains("\nevent: "),
                    let line = block.split(separator: "\n").first(where: { $0.hasPrefix("id: ") })
                else { continue }
                take(String(line.dropFirst(4)))
            }
            pending.removeSubrange(..<start)
        }
    }
}
