import Foundation
import JSON
import Model
import ObservableModels
import Store
import Synchronization

@testable import API
@testable import HTTPServer

/// A desk over a store of its own in memory: requests are answered without a socket or an event loop.
final class TestDesk {
    let desk: Desk
    private let store: Store
    private let directory = "/dev/shm/lectern-desk-\(UUID().uuidString)"
    private let commits: Commits
    private let output = UnsafeMutablePointer<ByteBuffer>.allocate(capacity: 1)
    private let date = UnsafeMutablePointer<DateLine>.allocate(capacity: 1)
    /// The tokens of those who ask, by what they are called.
    private(set) var tokens: [String: String] = [:]

    /// What the writer has told of; nobody hears of it before it is taken.
    private final class Commits: Sendable {
        let heard = Mutex<[Commit]>([])
    }

    init() throws {
        var configuration = StoreConfiguration()
        configuration.ballastBytes = 0
        store = try Store.open(directory: directory, configuration: configuration)
        try store.ensureAdministrator()
        let service = ServiceState(
            store: store, log: Log(level: .error), loops: 1, watches: Watches(perTokenMax: 100, perReaderMax: 100),
            writesPerReaderMax: 100)
        let reads = try store.makeReadConnection()
        let models = ObservableModels(epoch: store.epoch, head: try reads.head(), cacheBytesMax: 1 << 20)
        desk = Desk(service, reads, models)
        let commits = Commits()
        self.commits = commits
        store.onCommit { commit in commits.heard.withLock { $0.append(commit) } }
        output.initialize(to: ByteBuffer())
        date.initialize(to: DateLine())
        tokens["admin"] = try service.issueAdministratorToken(name: "admin")
        _ = hear()
    }

    deinit {
        store.close()
        output.deinitialize(count: 1)
        output.deallocate()
        date.deinitialize(count: 1)
        date.deallocate()
        do { try FileManager.default.removeItem(atPath: directory) } catch { fatalError("\(error)") }
    }

    /// Makes a reader who has a token of that scope.
    func enter(_ name: String, scope: String = "write") throws {
        let id = try make("/v1/readers", "{\"name\":\"\(name)\"}", as: "admin")
        let body = "{\"name\":\"\(name)\",\"reader\":\"\(id)\",\"scope\":\"\(scope)\"}"
        tokens[name] = try send("POST", "/v1/tokens", body, as: "admin")["token"]?.string
    }

    /// Makes a resource and returns its id.
    func make(_ path: String, _ body: String, as name: String) throws -> String {
        let answer = try send("POST", path, body, as: name)
        guard answer.status == 201, let id = answer["id"]?.string else { throw Surprise(text: answer.text) }
        return id
    }

    /// What was committed since the last time; with it the desk hears of it.
    func hear() -> [Change] {
        let heard = commits.heard.withLock { heard in
            defer { heard = [] }
            return heard
        }
        for commit in heard { desk.hear(commit) }
        return heard.flatMap(\.changes)
    }

    /// Sends a request and waits for what becomes of it.
    func send(
        _ method: String, _ path: String, _ body: String? = nil, as name: String, fields: [String] = []
    ) throws -> Answer {
        var head = "\(method) \(path) HTTP/1.1\r\nHost: test\r\n"
        if !name.isEmpty { head += "Authorization: Bearer \(tokens[name] ?? name)\r\n" }
        for field in fields { head += field + "\r\n" }
        if let body {
            if !fields.contains(where: { $0.hasPrefix("Content-Type") }) {
                head += "Content-Type: application/json\r\n"
            }
            head += "Content-Length: \(body.utf8.count)\r\n"
        }
        let bytes = Array((head + "\r\n" + (body ?? "")).utf8)
        var parsed = RequestHead(fieldsMax: 100)
        guard parsed.parse(bytes.span, HTTPLimits()) == .complete else {
            throw Surprise(text: "not a request: \(head)")
        }
        parsed.bodyCount = body?.utf8.count ?? 0
        output.pointee.count = 0
        try withUnsafePointer(to: &parsed) { parsed in
            try bytes.withUnsafeBytes { bytes in
                // Safe: both pointers are valid as long as this closure runs, and the request does not leave it.
                let request = Request(
                    base: bytes.baseAddress!, head: parsed, connection: ConnectionID(loop: 0, slot: 0, generation: 1),
                    transport: .tcp)
                try answer(request, omitsBody: method == "HEAD")
            }
        }
        return Answer(output.pointee)
    }

    private func answer(_ request: borrowing Request, omitsBody: Bool) throws {
        var response = writer(omitsBody)
        switch desk.answer(request, &response) {
        case .nothing: break
        case .commit(let write):
            let (done, result) = (Latch(), Result())
            try desk.submit(write) { outcome in
                result.outcome.withLock { $0 = outcome }
                done.open()
            }
            done.wait()
            output.pointee.count = 0
            var response = writer(omitsBody)
            desk.write(result.outcome.withLock { $0! }, write.exchange, &response)
        case .stream(_, _, _, let snapshot): response.body(try snapshot().body, type: "text/event-stream")
        case .changes: throw Surprise(text: "the changes are of the event loop")
        }
    }

    private final class Result: Sendable {
        let outcome = Mutex<Swift.Result<Outcome, LecternError>?>(nil)
    }

    private func writer(_ omitsBody: Bool) -> ResponseWriter {
        ResponseWriter(
            output: output, date: UnsafePointer(date), omitsBody: omitsBody, isHTTP10: false, keepsAlive: true)
    }
}

extension Answer {
    /// The answer whose bytes those are.
    init(_ bytes: borrowing ByteBuffer) {
        let all = bytes.base.map { Array(UnsafeRawBufferPointer(start: $0, count: bytes.count)) } ?? []
        let text = String(decoding: all, as: UTF8.self)
        let parts = text.split(separator: "\r\n\r\n", maxSplits: 1, omittingEmptySubsequences: false)
        let lines = parts[0].split(separator: "\r\n")
        var fields: [String: String] = [:]
        for line in lines.dropFirst() {
            let pair = line.split(separator: ":", maxSplits: 1)
            fields[pair[0].lowercased()] = pair[1].drop { $0 == " " }.description
        }
        let status = Int(lines[0].split(separator: " ")[1]) ?? 0
        self.init(status: status, fields: fields, body: Array((parts.count > 1 ? parts[1] : "").utf8))
    }
}
