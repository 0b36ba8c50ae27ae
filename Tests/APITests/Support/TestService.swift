import API
import CSQLite
import Foundation
import HTTPServer
import JSON
import Outbound
import SharedByTests
import Store
import Synchronization
import Testing

/// A complete service on its own port, with a database in a temporary directory that is removed with it.
final class TestService: Sendable {
    let directory: String
    let token: String
    private let running: Mutex<(service: Service, port: UInt16)>

    init(host: String = "127.0.0.1", configure: (inout Service.Configuration) -> Void = { _ in }) throws {
        directory = TestDirectory.memory.path("test")
        try DatabaseTemplate.newest.copy(into: directory)
        let first = try Self.start(directory, host, configure)
        running = Mutex(first)
        token = try first.service.issueAdministratorToken(name: "test")
    }

    deinit {
        stop()
        // Every test must leave a consistent database.
        do {
            let findings = try Store.check(directory: directory)
            if !findings.isEmpty { Issue.record("\(findings)") }
        } catch {
            Issue.record(error)
        }
        try? FileManager.default.removeItem(atPath: directory)
    }

    var metricsPort: UInt16? { running.withLock { $0.service }.metricsPort }

    /// Reloads the settings of a configuration.
    func reload(_ configure: (inout Service.Configuration) -> Void) {
        var configuration = Service.Configuration(directory: directory)
        configure(&configuration)
        running.withLock { $0.service }.reload(configuration)
    }

    var port: UInt16 { running.withLock { $0.port } }

    /// Returns the link that the first start prints.
    func issueAdministratorLink() throws -> String { try running.withLock { $0.service }.issueAdministratorLink() }

    /// Starts to drain, without waiting for the end.
    func drain(deadlineSeconds: Int) { running.withLock { $0.service }.drain(deadlineSeconds: deadlineSeconds) }

    func stop() {
        let service = running.withLock { $0.service }
        service.drain(deadlineSeconds: 1)
        service.wait()
    }

    /// Stops the service and starts another one on the same directory, at another port.
    func restart(configure: (inout Service.Configuration) -> Void = { _ in }) throws {
        stop()
        let next = try Self.start(directory, "127.0.0.1", configure)
        running.withLock { $0 = next }
    }

    private static func start(
        _ directory: String, _ host: String, _ configure: (inout Service.Configuration) -> Void
    ) throws -> (service: Service, port: UInt16) {
        var configuration = Service.Configuration(directory: directory)
        configuration.loops = 2
        configuration.logLevel = .error
        // A client that does not read is not disconnected, however long the test takes. A debug build on a busy machine
        // cannot measure the time of a read.
        configuration.limits.writeStallSecondsMax = patienceSeconds
        configuration.limits.streamUnheardSecondsMax = patienceSeconds
        configuration.store.readMillisecondsMax = 0
        configuration.store.ballastBytes = 0
        configuration.store.isDurable = false
        configuration.accounts.passwordMebibytes = 1
        configure(&configuration)
        let service = try Service(configuration)
        let port = try service.listen(tcp: host, port: 0)
        try service.listen(unix: directory + "/lectern.sock")
        try service.start()
        return (service, port)
    }

    /// Returns whether only the user who runs the server may send a request. Such requests use the Unix socket, unless
    /// a test says otherwise.
    private static func isLocal(_ path: String, _ body: String?) -> Bool {
        path.hasPrefix("/v1/admin/export") || path.hasPrefix("/v1/admin/import")
            || path == "/v1/tokens" && body?.contains("\"reader\"") == true
            || path == "/v1/links" && body?.contains("\"signin\"") == true
            || path.hasPrefix("/v1/readers/") && body?.contains("\"guardian\":\"") == true
    }

    /// Sends a request with the administrator's token, or another one.
    func send(
        _ method: String, _ path: String, _ body: String? = nil, token other: String? = nil, fields: [String] = [],
        overTCP: Bool = false
    ) throws -> Answer {
        var all = (other == "" ? [] : ["Authorization: Bearer \(other ?? token)"]) + ["Expect:"] + fields
        if body != nil, !fields.contains(where: { $0.hasPrefix("Content-Type") }) {
            all.append("Content-Type: application/json")
        }
        let socket = !overTCP && Self.isLocal(path, body) ? directory + "/lectern.sock" : nil
        let response = try HTTPClient(socketPath: socket, secondsMax: patienceSeconds).send(
            method, "http://127.0.0.1:\(port)\(path)", fields: all, body: body.map { Array($0.utf8) })
        if let place = response.fields["location"], place.hasPrefix("/v1/") {
            #expect(LocationTests.isFetched(place), "\(method) \(path) says \(place), which cannot be fetched")
        }
        return Answer(response)
    }

    /// Changes the database behind the service's back.
    func execute(_ sql: String) throws {
        var database: OpaquePointer?
        defer { sqlite3_close_v2(database) }
        guard sqlite3_open_v2(directory + "/lectern.sqlite", &database, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK,
            sqlite3_busy_timeout(database, 10_000) == SQLITE_OK,
            sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK
        else { throw UnexpectedResponse(text: String(cString: sqlite3_errmsg(database))) }
    }

    /// Creates a resource and returns its id.
    func make(_ path: String, _ body: String, token other: String? = nil) throws -> String {
        let answer = try send("POST", path, body, token: other)
        guard answer.status == 201, let id = answer["id"]?.string else {
            throw UnexpectedResponse(text: "\(path): \(answer.text)")
        }
        return id
    }

    /// Creates a reader who is not an administrator, and returns their token.
    func reader(_ name: String, scope: String = "write", more: String = "") throws -> String {
        let id = try make("/v1/readers", "{\"name\":\"\(name)\"\(more)}")
        let answer = try send(
            "POST", "/v1/tokens", "{\"name\":\"\(name)\",\"reader\":\"\(id)\",\"scope\":\"\(scope)\"}")
        return answer["token"]?.string ?? ""
    }

    /// Returns the cursor at the end of the log.
    func head(token other: String? = nil) throws -> String {
        try send("GET", "/v1/changes?limit=1", token: other)["head"]?.string ?? ""
    }

    /// Returns the changes after a cursor, as "resource change".
    func events(after cursor: String, token other: String? = nil) throws -> [String] {
        let page = try send("GET", "/v1/changes?limit=100&after=\(cursor)", token: other)
        return page["items"]?.elements.map { "\($0["resource"]?.string ?? "") \($0["change"]?.string ?? "")" } ?? []
    }
}

/// An unexpected result in a test.
struct UnexpectedResponse: Error {
    let text: String
}

/// A response.
struct Answer: Sendable {
    let text: String
    private let response: HTTPClientResponse
    private let value: JSONValue?

    init(_ response: HTTPClientResponse) {
        self.response = response
        text = String(decoding: response.body, as: UTF8.self)
        value = try? JSONDocument(response.body).root
    }

    var status: Int { response.status }
    var fields: [String: String] { response.fields }
    subscript(_ name: String) -> JSONValue? { value?[name] }
    /// The body without the request's ID, which is unique.
    var given: String { self["requestId"]?.string.map { text.replacing($0, with: "") } ?? text }
    /// The body of a successful response.
    var representation: JSONValue? { status < 300 ? value : nil }
    var etag: String { fields["etag"] ?? "" }
    var pointers: [String] { self["violations"]?.elements.compactMap { $0["pointer"]?.string } ?? [] }
}

extension TestService {
    /// Returns the sum of a metric over the lines that have all of the labels.
    func metric(_ name: String, _ labels: String...) throws -> Int {
        try send("GET", "/metrics").text.split(separator: "\n").filter { line in
            line.prefix { $0 != " " && $0 != "{" } == name && labels.allSatisfy { line.contains($0) }
        }.reduce(0) { $0 + (Int($1.split(separator: " ").last ?? "") ?? 0) }
    }
}
