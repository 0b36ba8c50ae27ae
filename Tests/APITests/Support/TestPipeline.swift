import Bytes
import CSQLite
import Foundation
import JSON
import Model
import ObservableModels
import Outbound
import Passwords
import SharedByTests
import Synchronization

@testable import API
@testable import HTTPServer
@testable import Store

/// A request pipeline over a separate store in memory, which answers requests without a socket or an event loop.
final class TestPipeline {
    let pipeline: RequestPipeline
    let store: Store
    let directory = TestDirectory.memory.path("desk")
    private let commits: Commits
    private let output = UnsafeMutablePointer<ByteBuffer>.allocate(capacity: 1)
    private let date = UnsafeMutablePointer<DateHeaderField>.allocate(capacity: 1)
    /// The callers' tokens, by name.
    private(set) var tokens: [String: String] = [:]
    private var rows: [[String]: NamedStream] = [:]
    /// The number of requests so far.
    private var exchanges: UInt32 = 0

    /// The writer's commits that the pipeline has not received yet.
    private final class Commits: Sendable {
        let received = Mutex<[Commit]>([])
    }

    /// The monotonic nanoseconds at which requests arrive; the clock is stopped unless a test moves it.
    var now: Int64 = 1_000_000_000_000

    init(rates: RateLimits = RateLimits(), backups: BackupSettings = BackupSettings()) throws {
        var configuration = StoreConfiguration()
        configuration.backups = backups
        configuration.ballastBytes = 0
        configuration.isDurable = false
        // The limits are off, because the machine may be busy.
        configuration.pageMicrosecondsMax = 60_000_000
        configuration.readMillisecondsMax = 0
        try DatabaseTemplate.newest.copy(into: directory)
        let commits = Commits()
        self.commits = commits
        store = try Store.open(
            directory: directory, configuration: configuration,
            receive: { commit in commits.received.withLock { $0.append(commit) } })
        try store.ensureAdministrator()
        commits.received.withLock { $0 = [] }
        var settings = Service.Configuration(directory: directory)
        settings.rates = rates
        settings.coverMebibytesMax = 0
        let service = SharedServiceState(store, ServerLog(level: .error), settings, loops: 1)
        let reads = try store.makeReadConnection()
        let models = ObservableModels(
            epoch: store.epoch, head: try reads.head(), cacheBytesMax: 1 << 20, ChangeLookups(reads, service.log))
        pipeline = RequestPipeline(service, reads, models)
        output.initialize(to: ByteBuffer())
        date.initialize(to: DateHeaderField())
        tokens["admin"] = try service.issueAdministratorToken(name: "admin")
        _ = receive()
    }

    deinit {
        pipeline.service.accounts.passwords.stop()
        store.close()
        output.deinitialize(count: 1)
        output.deallocate()
        date.deinitialize(count: 1)
        date.deallocate()
        do { try FileManager.default.removeItem(atPath: directory) } catch { fatalError("\(error)") }
    }

    /// Creates a reader with a token of a scope, optionally with a guardian.
    func enter(_ name: String, scope: String = "write", guardian: String? = nil) throws {
        let managed = guardian.map { ",\"guardian\":\"\($0)\"" } ?? ""
        let id = try make("/v1/readers", "{\"name\":\"\(name)\"\(managed)}", as: "admin")
        let body = "{\"name\":\"\(name)\",\"reader\":\"\(id)\",\"scope\":\"\(scope)\"}"
        tokens[name] = try send("POST", "/v1/tokens", body, as: "admin")["token"]?.string
    }

    /// Creates a resource and returns its id.
    func make(_ path: String, _ body: String, as name: String) throws -> String {
        let answer = try send("POST", path, body, as: name)
        guard answer.status == 201, let id = answer["id"]?.string else { throw UnexpectedResponse(text: answer.text) }
        return id
    }

    /// The bytes of the database and its write-ahead log.
    var bytesOnDisk: Int {
        get throws {
            try ["lectern.sqlite", "lectern.sqlite-wal"].reduce(0) { sum, name in
                let size = try FileManager.default.attributesOfItem(atPath: directory + "/" + name)[.size] as? Int
                return sum + (size ?? 0)
            }
        }
    }

    /// Checkpoints the whole write-ahead log.
    func copyLog() throws {
        let connection = try SQLiteConnection(path: directory + "/lectern.sqlite", flags: SQLITE_OPEN_READWRITE)
        _ = try connection.statement(once: "PRAGMA wal_checkpoint(TRUNCATE)").step()
    }

    /// Writes rows without a command, for more of them than commands could write in a test.
    func execute(_ sql: String) throws {
        let connection = try SQLiteConnection(path: directory + "/lectern.sqlite", flags: SQLITE_OPEN_READWRITE)
        try connection.execute(sql)
    }

    /// Returns the changes since the last call, and delivers them to the pipeline.
    func receive() -> [Change] {
        let received = commits.received.withLock { received in
            defer { received = [] }
            return received
        }
        for commit in received { pipeline.receive(commit) }
        return received.flatMap(\.changes)
    }

    /// Sends a request and waits for its response, even a deferred one.
    func send(
        _ method: String, _ path: String, _ body: String? = nil, as name: String, fields: [String] = []
    ) throws -> Answer {
        try exchange(method, path, body, as: name, fields) { request, remainder in
            switch remainder {
            case .nothing: break
            case .commit(let write): try finish(write, omitsBody: method == "HEAD")
            case .job(let job): try finish(job)
            case .stream(let stream): try refuse(stream)
            case .changes, .export: throw UnexpectedResponse(text: "a stream is begun")
            }
        }
        return Answer(output.pointee)
    }

    /// Writes the refusal of a stream that cannot begin.
    private func refuse(_ stream: OpenStream) throws {
        do {
            _ = try begin(stream)
        } catch let error as RequestError {
            var response = writer(false)
            return pipeline.refuse(error, &response)
        }
        throw UnexpectedResponse(text: "a stream is begun")
    }

    /// Waits for a job and writes its response.
    private func finish(_ job: ResponseJob) throws {
        let (done, result) = (Semaphore(), JobResult())
        Task(executorPreference: OutboundExecutor.shared) {
            do throws(RequestError) {
                let response = try await job.run()
                result.response.withLock { $0 = .success(response) }
            } catch {
                result.response.withLock { $0 = .failure(error) }
            }
            done.signal()
        }
        done.wait()
        output.pointee.count = 0
        var response = writer(false)
        switch result.response.withLock({ $0! }) {
        case .success(.document(let document)): document.write(to: &response)
        case .success(.outcome(let outcome, let exchange)): pipeline.write(.success(outcome), exchange, &response)
        case .failure(let error): pipeline.refuse(error, &response)
        }
    }

    private final class JobResult: Sendable {
        let response = Mutex<Swift.Result<ResponseJob.Response, RequestError>?>(nil)
    }

    /// Waits for a write and writes its response.
    private func finish(_ write: PendingWrite, omitsBody: Bool) throws {
        let (done, result) = (Semaphore(), Result())
        let submission = SubmittedCommand(
            command: write.command, actor: write.actor, idempotency: write.idempotency
        ) { outcome in
            result.outcome.withLock { $0 = outcome }
            done.signal()
        }
        try pipeline.service.store.submitOrRefuse(submission)
        done.wait()
        output.pointee.count = 0
        var response = writer(omitsBody)
        pipeline.write(result.outcome.withLock { $0! }, write.context, &response)
    }

    /// Opens a stream with its initial events. With `whileBehind` the models may not have received all changes.
    func open(_ path: String, as name: String, whileBehind: Bool = false) throws -> OpenStream {
        var stream: OpenStream?
        if !whileBehind { pipeline.models.begin(at: try pipeline.reads.head()) }
        try exchange("GET", path, nil, as: name, ["Accept: text/event-stream"]) { _, remainder in
            switch remainder {
            case .stream(let opened): stream = try open(opened)
            default: throw UnexpectedResponse(text: "\(path): \(Answer(output.pointee).text)")
            }
        }
        guard let stream else { throw UnexpectedResponse(text: "\(path) is no stream") }
        return stream
    }

    /// Opens a stream of several URLs, each of which is its own name, and returns its first frames. The same URLs yield
    /// the same stream. `between` runs between two turns in which names begin.
    func open(
        several urls: [String], after cursor: String? = nil, as name: String, between: () throws -> Void = {}
    ) throws -> (OpenStream, [[UInt8]]) {
        var opened: (stream: OpenStream, frames: [[UInt8]])?
        pipeline.models.begin(at: try pipeline.reads.head())
        try exchange("GET", "/v1/changes", nil, as: name, ["Accept: text/event-stream"]) { _, remainder in
            guard case .stream(let feed) = remainder else {
                throw UnexpectedResponse(text: Answer(output.pointee).text)
            }
            let viewer = feed.subscription.viewer
            let row = try rows[urls] ?? row(of: urls, viewer)
            rows[urls] = row
            let stream = try pipeline.stream(row, after: cursor, viewer, on: feed.subscription.connection)
            opened = (stream, try begin(stream, between))
        }
        guard let opened else { throw UnexpectedResponse(text: "\(urls) is no stream") }
        return opened
    }

    /// Returns a stream that is not stored, which avoids the limit of a reader's streams.
    private func row(of urls: [String], _ viewer: Viewer) throws -> NamedStream {
        let watch = urls.map { "\"\($0)\":\"\($0)\"" }.joined(separator: ",")
        let patch = try NamedStreamPatch(
            JSONDocument(Array("{\"watch\":{\(watch)}}".utf8)).root, form: .whole, debounce: 500)
        let stream = NamedStream(
            id: ResourceID(madeAt: .now), of: viewer, digest: TokenSecret().digest, createdAt: .now)
        return try patch.applied(to: stream, revision: 1)
    }

    private func open(_ stream: OpenStream) throws -> OpenStream {
        _ = try begin(stream)
        _ = pipeline.models.wake(stream.subscription)
        return stream
    }

    /// Begins the URLs of a stream and returns the frames sent.
    func begin(_ stream: OpenStream, _ between: () throws -> Void = {}) throws -> [[UInt8]] {
        let subscription = stream.subscription
        pipeline.models.subscribe(subscription)
        var frames: [[UInt8]] = []
        do {
            frames = pipeline.models.open(subscription, with: try pipeline.begin(stream))
            while stream.hasPendingWork {
                try between()
                frames += pipeline.models.open(subscription, with: try pipeline.begin(stream))
            }
        } catch {
            pipeline.models.cancel(subscription)
            throw error
        }
        return frames
    }

    /// Returns the names of the events that each stream receives for changes of one commit.
    func deliver(_ changes: [Change], to streams: [OpenStream]) throws -> [[String]] {
        try frames(of: changes, for: streams).map { $0.map(Self.name) }
    }

    /// Returns the frames that each stream receives for changes of one commit.
    func frames(of changes: [Change], for streams: [OpenStream]) throws -> [[[UInt8]]] {
        guard !changes.isEmpty else { return streams.map { _ in [] } }
        var received = streams.map { _ in [[UInt8]]() }
        for effect in pipeline.models.publish(Commit(changes: changes)) {
            guard case .send(let subscription, _, _) = effect,
                let index = streams.firstIndex(where: { $0.subscription === subscription })
            else { continue }
            received[index] += try follow(effect, streams[index])
        }
        return received
    }

    /// Performs an effect for a stream and returns the frames sent.
    func follow(_ effect: DeliveryEffect, _ stream: OpenStream) throws -> [[UInt8]] {
        var (effect, received) = (effect, [[UInt8]]())
        let subscription = stream.subscription
        while case .send(_, let frames, let through) = effect {
            received += frames
            let action = pipeline.models.delivered(subscription, through: through, .taken)
            if action != .none, action != .end, pipeline.models.wake(subscription) {
                let page = try pipeline.reads.read { () throws(RequestError) in try pipeline.next(for: stream) }
                effect = pipeline.models.sending(page, for: subscription)
            } else if subscription.needsSnapshot, subscription.state.phase == .live {
                let (frames, through) = try pipeline.renewal(of: stream, urlAt: 0)
                effect = pipeline.models.sending(frames, to: subscription, through: through)
            } else {
                break
            }
        }
        return received
    }

    static func name(of frame: [UInt8]) -> String {
        let lines = String(decoding: frame, as: UTF8.self).split(separator: "\n")
        return lines.first { $0.hasPrefix("event: ") }.map { String($0.dropFirst(7)) } ?? ""
    }

    /// Lets the pipeline handle a request, and passes on its deferred response.
    private func exchange(
        _ method: String, _ path: String, _ body: String?, as name: String, _ fields: [String],
        _ finish: (borrowing Request, DeferredResponse) throws -> Void
    ) throws {
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
        guard (try? parsed.parse(bytes.span, HTTPLimits())) == true else {
            throw UnexpectedResponse(text: "not a request: \(head)")
        }
        parsed.bodyCount = body?.utf8.count ?? 0
        output.pointee.count = 0
        try withUnsafePointer(to: &parsed) { parsed in
            try bytes.withUnsafeBytes { bytes in
                exchanges += 1
                // SAFETY: both pointers are valid while this closure runs, and the request does not escape it.
                let request = Request(
                    base: bytes.baseAddress!, head: parsed,
                    connection: ConnectionID(loop: 0, slot: 0, generation: exchanges),
                    // Tokens for others can be created over the Unix socket only.
                    transport: path == "/v1/tokens" ? .unix : .tcp(.loopback))
                var response = writer(method == "HEAD")
                var remainder = DeferredResponse.nothing
                do throws(RequestError) { remainder = try pipeline.answer(request, &response) } catch {
                    pipeline.refuse(error, toEventSource: EmptyEventStream.isAsked(by: request), &response)
                }
                try finish(request, remainder)
            }
        }
    }

    private final class Result: Sendable {
        let outcome = Mutex<Swift.Result<CommandOutcome, RequestError>?>(nil)
    }

    private func writer(_ omitsBody: Bool) -> ResponseWriter {
        ResponseWriter(
            output: output, date: UnsafePointer(date),
            ResponseTerms(omitsBody: omitsBody),
            trace: RequestTrace(began: now))
    }
}

extension Answer {
    /// Parses the bytes of a response.
    init(_ bytes: borrowing ByteBuffer) {
        let all = bytes.base.map { Array(UnsafeRawBufferPointer(start: $0, count: bytes.count)) } ?? []
        // An empty line ends the head: two times CR and LF.
        let end = all.withUnsafeBytes { bytes in
            (0..<max(0, bytes.count - 3)).first {
                bytes.loadUnaligned(fromByteOffset: $0, as: UInt32.self) == 0x0A0D_0A0D
            }
        }
        let head = all.prefix(end ?? all.count)
        // The status follows "HTTP/1.1 ".
        let status = Int(String(decoding: head.dropFirst(9).prefix(3), as: UTF8.self)) ?? 0
        self.init(HTTPClientResponse(status: status, head: Array(head), body: Array(all.dropFirst(head.count + 4))))
    }
}
