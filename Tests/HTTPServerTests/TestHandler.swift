import Bytes
import Dispatch
import Glibc
import HTTPServer
import SharedByTests
import Synchronization

/// The record of a test server's handlers, shared with the test's thread.
final class Journal: Sendable {
    /// A gate at which a handler, or a job, waits for the test.
    final class Gate: Sendable {
        private let entered = DispatchSemaphore(value: 0)
        private let opened = DispatchSemaphore(value: 0)

        func pass() {
            entered.signal()
            opened.wait()
        }

        func waitUntilEntered() { entered.wait() }
        func open() { opened.signal() }
    }

    let gate = Gate()
    private let lines = Mutex<[String]>([])
    private let exchanges = Mutex<[ConnectionID]>([])
    private let requests = Mutex<[RequestEnd]>([])

    func note(_ line: String) { lines.withLock { $0.append(line) } }
    var all: [String] { lines.withLock { $0 } }
    func hold(_ id: ConnectionID) { exchanges.withLock { $0.append(id) } }
    func end(_ end: RequestEnd) { requests.withLock { $0.append(end) } }
    var ends: [RequestEnd] { requests.withLock { $0 } }
    var held: [ConnectionID] { exchanges.withLock { $0 } }
    func count(_ line: String) -> Int { all.count { $0 == line } }
}

extension ResponseWriter {
    /// Completes the response with a text.
    mutating func body(_ text: String, type: StaticString) { body([UInt8](text.utf8), type: type) }
}

/// A small application with one route for each feature of the module.
final class TestHandler: RequestHandler {
    private let loop: EventLoop
    private let journal: Journal

    init(_ loop: EventLoop, _ journal: Journal) {
        self.loop = loop
        self.journal = journal
    }

    func handle(_ request: borrowing Request, _ response: inout ResponseWriter) -> HandlerResult {
        let path = request.path.text
        if let number = number(of: request) { response.trace.subject = (1, number) }
        journal.note("\(request.methodText.text) \(path)")
        if request.method == .other {
            response.status(501)
            return .answered
        }
        switch path {
        case "/defer", "/never":
            journal.hold(request.connection)
            return .deferred
        case "/stream":
            journal.hold(request.connection)
            response.field("Cache-Control", "no-store")
            response.stream([UInt8](":hi\n\n".utf8), type: "text/event-stream")
            return .answered
        case "/file":
            journal.hold(request.connection)
            response.stream([], type: "text/plain", isFinite: true)
            return .answered
        case "/traced":
            response.trace.route = 7
            response.trace.subject = (1, 2)
            journal.hold(request.connection)
            return .deferred
        case "/inject": response.field("X", "a\r\nSet-Cookie: b")
        case "/job":
            let journal = journal
            loop.execute { journal.note("job") }
        case "/gate": journal.gate.pass()
        case "/jobs":
            journal.hold(request.connection)
            sendTicks(request.connection, 5)
            return .deferred
        case "/who":
            response.body([UInt8]((request.peer?.description ?? "local").utf8), type: "text/plain")
        default: echo(request, path, &response)
        }
        return .answered
    }

    func subject(of request: borrowing Request) -> SchedulingSubject? {
        if request.path.text == "/probe" { return nil }
        return number(of: request).map { SchedulingSubject.known(high: 1, low: $0) }
            ?? SchedulingSubject(request.transport)
    }

    /// Returns the number of the subject that the client sent.
    private func number(of request: borrowing Request) -> UInt64? {
        guard let field = request.field("x-subject") else { return nil }
        return UInt64(field.text)
    }

    /// Schedules a number of jobs for an exchange, one after the other, and then answers it.
    private func sendTicks(_ id: ConnectionID, _ left: Int) {
        loop.schedule(id) { [self] in
            journal.note("job \(left)")
            Self.work(microseconds: 3000)
            if left > 1 { return sendTicks(id, left - 1) }
            loop.answer(id) { $0.body("done", type: "text/plain") }
        }
    }

    /// Keeps the loop busy, as a computing handler does.
    private static func work(microseconds: Int64) {
        let end = ContinuousClock.now + .microseconds(microseconds)
        while ContinuousClock.now < end {}
    }

    private func echo(_ request: borrowing Request, _ path: String, _ response: inout ResponseWriter) {
        if path == "/slow" { Self.work(microseconds: 1000) }
        if path == "/big" {
            let count = DigitParser.decimal(request.query, max: 100_000_000) ?? 0
            response.body([UInt8](repeating: 120, count: count), type: "text/plain")
        } else {
            let text = "\(request.methodText.text) \(request.target.text) \(request.body.text)"
            response.body([UInt8](text.utf8), type: "text/plain")
        }
    }

    func ended(_ end: RequestEnd) { journal.end(end) }
    func streamWritable(_ id: ConnectionID) { journal.note("writable") }
    func streamIdle(_ id: ConnectionID) {
        journal.note("idle")
        _ = loop.send([UInt8](":\n\n".utf8), to: id)
    }
    func connectionClosed(_ id: ConnectionID) { journal.note("closed") }
    func draining() {
        journal.note("draining")
        for id in journal.held {
            _ = loop.send([UInt8]("retry: 1\n\n".utf8), to: id)
            loop.end(id)
            loop.answer(id) { $0.body("late", type: "text/plain") }
        }
    }
}

/// A server for one test, on its own port.
final class TestServer: Sendable {
    let server: HTTPServer
    let journal = Journal()
    let port: UInt16

    init(loops: Int = 1, origins: [WebOrigin] = [], _ change: (inout HTTPLimits) -> Void = { _ in }) throws {
        var limits = HTTPLimits()
        change(&limits)
        let journal = journal
        let known = AllowedOrigins(origins, exposed: "ETag, X")
        server = HTTPServer(limits: limits, loops: loops, origins: known) { TestHandler($0, journal) }
        port = try server.listen(tcp: "127.0.0.1", port: 0)
        try server.start()
    }

    deinit {
        server.drain(deadlineSeconds: 0)
        server.wait()
    }

    func client() throws -> TestClient { try TestClient(port: port) }

    /// Blocks the first loop until the gate is opened.
    func hold() -> Journal.Gate {
        let gate = Journal.Gate()
        server.loops[0].execute { gate.pass() }
        gate.waitUntilEntered()
        return gate
    }

    /// Runs a closure on the first loop's thread, and waits for its result.
    @discardableResult
    func onLoop<Result: Sendable>(_ body: @escaping @Sendable (EventLoop) -> Result) -> Result? {
        let loop = server.loops[0]
        let box = Box<Result>()
        loop.execute { box.value.withLock { $0 = body(loop) } }
        _ = eventually { box.value.withLock { $0 != nil } }
        return box.value.withLock { $0 }
    }

    /// Returns whether the server answers a plain request, on a new connection.
    func isAlive() throws -> Bool {
        let client = try client()
        client.send("GET /alive HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        return client.readAll().hasPrefix("HTTP/1.1 200 OK\r\n")
    }

    /// Returns whether all connections are closed, and the listener is this port's only socket in the process.
    func isClean() -> Bool {
        eventually { server.connectionCount == 0 } && eventually { Descriptors.count(port: port) == 1 }
    }

    private final class Box<Value: Sendable>: Sendable {
        let value = Mutex<Value?>(nil)
    }
}
