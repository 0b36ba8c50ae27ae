import Foundation
import Glibc
import JSON
import Model
import SharedByTests
import Synchronization

@testable import Store

/// A store in a separate directory, with helpers for its tests.
final class StoreFixture: Sendable {
    let directory: String
    let store: Store
    /// A Boolean value indicating whether another store has taken over the directory.
    let keepsDirectory = Atomic(false)
    /// The published commits, in order.
    private let received: ReceivedCommits

    init(_ configuration: StoreConfiguration = StoreFixture.configuration, in directory: String? = nil) throws {
        self.directory = try directory ?? Self.emptyDatabase(on: configuration.isDurable ? .disk : .memory)
        let received = ReceivedCommits()
        self.received = received
        store = try Store.open(
            directory: self.directory, configuration: configuration,
            receive: { commit in received.all.withLock { $0.append(commit) } })
        try store.ensureAdministrator()
        _ = takeChanges()
    }

    deinit {
        store.close()
        if !keepsDirectory.load(ordering: .relaxed) { Self.remove(directory) }
    }

    /// A configuration for tests: small, for hundreds of stores on a small disk, and without waiting for the disk.
    static var configuration: StoreConfiguration {
        var configuration = durable
        configuration.isDurable = false
        // On slow machines, too, commands that wait together are committed together.
        configuration.turnMicrosecondsMax = 3_600_000_000
        return configuration
    }

    /// The program's own configuration on a real disk, for tests of durability, disks and backups.
    static var durable: StoreConfiguration {
        var configuration = StoreConfiguration()
        configuration.ballastBytes = 4096
        // A debug build on a busy machine cannot measure the time of a read.
        configuration.readMillisecondsMax = 0
        return configuration
    }

    /// Creates a directory without a database.
    static func newDirectory(on place: TestDirectory = .memory) -> String {
        let path = place.path("store")
        mkdir(path, 0o700)
        return path
    }

    private static func emptyDatabase(on place: TestDirectory) throws -> String {
        let path = place.path("store")
        try DatabaseTemplate.newest.copy(into: path)
        return path
    }

    static func remove(_ directory: String) {
        for name in [
            "lectern.sqlite", "lectern.sqlite-wal", "lectern.sqlite-shm", "lectern.lock", "lectern.end", "ballast",
            "filler",
        ] {
            unlink(directory + "/" + name)
        }
        // Backups may have left files.
        if rmdir(directory) != 0 { try? FileManager.default.removeItem(atPath: directory) }
    }

    /// Returns the commits since the last call.
    func takeCommits() -> [Commit] {
        received.all.withLock { received in
            defer { received = [] }
            return received
        }
    }

    /// Returns the changes since the last call.
    func takeChanges() -> [Change] { takeCommits().flatMap(\.changes) }

    /// Submits a command to the writer, without waiting.
    func submit(_ request: ActorCommand, key: IdempotencyKey? = nil) -> Pending {
        let pending = Pending()
        let isTaken = store.submit(SubmittedCommand(request, key: key) { pending.answer($0) })
        if !isTaken { pending.answer(.failure(.unavailable(.tooManyWrites, "full", retryAfterSeconds: 1))) }
        return pending
    }

    /// Submits a command and waits for its outcome.
    @discardableResult
    func run(_ request: ActorCommand, key: IdempotencyKey? = nil) throws(RequestError) -> CommandOutcome {
        try submit(request, key: key).wait().get()
    }

    func reads() throws -> ReadConnection { try store.makeReadConnection() }

    /// The administrator that the store created.
    var administrator: Viewer {
        get throws {
            guard let viewer = try reads().localAdministrator() else { throw Missing() }
            return viewer
        }
    }

    struct Missing: Error {}

    private final class ReceivedCommits: Sendable {
        let all = Mutex<[Commit]>([])
    }
}

/// A command and its actor.
struct ActorCommand: Sendable {
    let command: Command
    let actor: CommandActor
}

extension Command {
    func by(
        _ viewer: Viewer, at now: Instant = .now, id: ResourceID? = nil, if precondition: Precondition = Precondition()
    ) -> ActorCommand {
        ActorCommand(command: self, actor: CommandActor(viewer, at: now, newID: id, precondition: precondition))
    }

    func byTheServer(at now: Instant = .now) -> ActorCommand { ActorCommand(command: self, actor: .server(at: now)) }
}

extension SubmittedCommand {
    convenience init(
        _ request: ActorCommand, key: IdempotencyKey? = nil,
        completion: @escaping @Sendable (Result<CommandOutcome, RequestError>) -> Void
    ) {
        self.init(command: request.command, actor: request.actor, idempotency: key, completion: completion)
    }
}

extension CommandOutcome {
    var kind: ResourceKind? { resource?.kind }
    var id: ResourceID { resource?.id ?? .zero }
}

/// The outcome of a submitted command, once it is there.
final class Pending: Sendable {
    private let semaphore = Semaphore()
    private let result = Mutex<Result<CommandOutcome, RequestError>?>(nil)

    func answer(_ value: Result<CommandOutcome, RequestError>) {
        result.withLock { $0 = value }
        semaphore.signal()
    }

    var isAnswered: Bool { result.withLock { $0 != nil } }

    func wait() -> Result<CommandOutcome, RequestError> {
        semaphore.wait()
        return result.withLock { $0 } ?? .failure(.internalError("no answer"))
    }
}

/// Holds the writer in the middle of a transaction. Commands submitted meanwhile form one batch.
struct Holding: Sendable {
    private let began = Semaphore()
    private let mayEnd = Semaphore()

    var request: ActorCommand {
        Command { _, _ in
            began.signal()
            mayEnd.wait()
            return CommandDecision([])
        }.byTheServer()
    }

    func waitUntilHeld() { began.wait() }

    func letGo() { mayEnd.signal() }
}

func json(_ text: String) throws -> JSONValue { try JSONDocument(Array(text.utf8)).root }
