public import Model
public import Observation

public typealias ObservableReading = ObservableResource<Reading>
public typealias ObservableClub = ObservableResource<Club>
public typealias ObservableSettings = ObservableResource<Settings>

/// A resource as it is on the server, kept up to date for as long as somebody holds this.
///
/// What there was last stays while the server is away; `state` says so.
@MainActor @Observable
public final class ObservableResource<Value: Resource> {
    /// Nil before it is loaded, and when it is deleted or no longer to be seen.
    public private(set) var value: Value?
    public private(set) var state = ConnectionState.connecting

    @ObservationIgnored private let client: LecternClient
    @ObservationIgnored private let path: String
    /// Of `value`.
    @ObservationIgnored private var etag = ""
    @ObservationIgnored private var writes = Turns()
    @ObservationIgnored private var task: Task<Void, Never>?

    /// What is at a path.
    public init(_ client: LecternClient, path: String) {
        (self.client, self.path) = (client, path)
        let steps = client.watch(path).steps
        task = Task { [weak self] in
            for await step in steps {
                // Held for no longer than it takes.
                guard let self else { return }
                take(step)
            }
        }
    }

    deinit { task?.cancel() }

    /// Writes a change through to the server: the fields that it makes others are sent, on condition that they are changed in
    /// what is shown here. Otherwise `moved` is thrown, and the newer value is shown.
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
        } catch .moved(let problem) {
            if let current = problem.current.flatMap({ Value($0) }) { take(current, problem.etag) }
            throw .moved(problem)
        }
    }

    private func take(_ step: EventStream.Steps.Step) {
        switch step {
        case .connection(let state): self.state = state
        case .event(let event):
            do throws(LecternClientError) { try take(event) } catch {
                state = .ended(.failed(error))
                task?.cancel()
            }
        }
    }

    private func take(_ event: Event) throws(LecternClientError) {
        switch try event.news(of: Value.self) {
        case .snapshot(let json):
            guard let representation = Representation(json), let value = Value(representation) else {
                throw .misunderstood("\(path) is no \(Value.kind.name)")
            }
            (self.value, etag) = (value, event.etag(of: value.version))
        case .now(let value, _, _): take(value, event.etag(of: value.version))
        case .gone, .over: value = nil
        case .other: break
        }
    }

    /// An answer may be ahead of the stream.
    private func take(_ newer: Value, _ etag: String?) {
        if let value, value.version >= newer.version { return }
        (value, self.etag) = (newer, etag ?? "")
    }
}

extension ObservableResource where Value == Reading {
    /// The reading with an id.
    public convenience init(_ client: LecternClient, id: ResourceID) { self.init(client, path: "/v1/readings/\(id)") }
}

extension ObservableResource where Value == Settings {
    /// The settings of the reader whose client it is.
    public convenience init(_ client: LecternClient) { self.init(client, path: "/v1/settings") }
}

extension ObservableResource where Value == Club {
    /// The club with an id.
    public convenience init(_ client: LecternClient, id: ResourceID) { self.init(client, path: "/v1/clubs/\(id)") }
}

/// Writes of one thing, one after the other: each begins with what the one before made of it.
@MainActor
private final class Turns {
    private var isTaken = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// Waits for one's turn.
    func begin() async {
        guard isTaken else {
            isTaken = true
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    /// Lets the next one have theirs.
    func end() {
        guard !waiting.isEmpty else {
            isTaken = false
            return
        }
        waiting.removeFirst().resume()
    }
}
