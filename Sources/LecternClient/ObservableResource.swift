public import Model
public import Observation

public typealias ObservableReading = ObservableResource<Reading>
public typealias ObservableClub = ObservableResource<Club>
public typealias ObservableSettings = ObservableResource<Settings>

/// A resource on the server, kept up to date as long as this object exists.
///
/// While the server is down the last known value stays, and `state` reports it.
@MainActor @Observable
public final class ObservableResource<Value: Resource>: StreamFollower {
    /// The value, or `nil` before it is loaded, and after it is deleted or no longer visible.
    public private(set) var value: Value?
    public internal(set) var state = ConnectionState.connecting

    @ObservationIgnored private let client: LecternClient
    @ObservationIgnored private let path: String
    /// The entity tag of `value`.
    @ObservationIgnored private var etag = ""
    @ObservationIgnored private var writes = ResourceWriteLock()
    @ObservationIgnored private var task: Task<Void, Never>?

    /// Watches the resource at a path.
    public init(_ client: LecternClient, path: String) {
        (self.client, self.path) = (client, path)
        task = follow(client.watch(path))
    }

    deinit { task?.cancel() }

    /// Writes a change to the server. It sends the fields that differ, on condition that the server's state is the one
    /// shown here. Otherwise it throws `outdated`, and shows the newer value.
    public func update(_ change: (inout Value) -> Void) async throws(LecternClientError) {
        await writes.begin()
        defer { writes.end() }
        guard let old = value, !etag.isEmpty else { throw .notLoaded }
        var new = old
        change(&new)
        guard let patch = try MergePatchBody.of(new, since: old) else { return }
        do throws(LecternClientError) {
            let answer = try await client.send("PATCH", path, body: patch, match: etag)
            take(try answer.value(), answer.etag)
        } catch .outdated(let problem) {
            if let current = problem.current.flatMap({ Value($0) }) { take(current, problem.etag) }
            throw .outdated(problem)
        }
    }

    func take(_ event: Event) throws(LecternClientError) {
        switch try event.news(of: Value.self) {
        case .snapshot(let json):
            guard let representation = ResourceRepresentation(json), let value = Value(representation) else {
                throw .misunderstood("\(path) is not a \(Value.kind.name)")
            }
            (self.value, etag) = (value, event.etag(of: value.version))
        case .now(let value, _): take(value, event.etag(of: value.version))
        case .gone, .over: value = nil
        case .other: break
        }
    }

    /// Shows a newer value. A response may be ahead of the stream.
    private func take(_ newer: Value, _ etag: String?) {
        if let value, value.version >= newer.version { return }
        (value, self.etag) = (newer, etag ?? "")
    }
}

extension ObservableResource where Value == Reading {
    /// Watches the reading with an id.
    public convenience init(_ client: LecternClient, id: ResourceID) { self.init(client, path: "/v1/readings/\(id)") }
}

extension ObservableResource where Value == Settings {
    /// Watches the settings of the client's reader.
    public convenience init(_ client: LecternClient) { self.init(client, path: "/v1/settings") }
}

extension ObservableResource where Value == Club {
    /// Watches the club with an id.
    public convenience init(_ client: LecternClient, id: ResourceID) { self.init(client, path: "/v1/clubs/\(id)") }
}

/// A lock that serializes the writes of one resource. Each starts from the result of the one before.
@MainActor
private final class ResourceWriteLock {
    private var isTaken = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// Waits for the lock.
    func begin() async {
        guard isTaken else {
            isTaken = true
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    /// Passes the lock to the next waiter.
    func end() {
        guard !waiting.isEmpty else {
            isTaken = false
            return
        }
        waiting.removeFirst().resume()
    }
}
