public import JSON

/// What a client watches on one connection, and opens again after each break: URLs, each under a name. Its own state is kept,
/// and changes without an event.
public struct Stream: Resource {
    /// What who is behind is told of updates that others supersede. The raw values are stored and sent.
    public enum Policy: String, Storable, CaseIterable {
        /// Each of them.
        case all
        /// The last of them, and how many are left out.
        case latest
    }

    public static let kind = ResourceKind.stream
    public static let fields = Fields<Stream>([
        .link(
            "reader", from: "readers.id", { $0.reader }, { $0.reader = $1 }, key: "reader", { $0.readerKey },
            { $0.readerKey = $1 }),
        .fixed("token", { $0.token }, { $0.token = $1 }),
        Field("watch", { $0.watch }, { $0.watch = $1 }),
        Field("policy", .choice, { $0.policy }, { $0.policy = $1 }),
        Field("heartbeat", .number(5...60), { $0.heartbeat }, { $0.heartbeat = $1 }),
        Field("debounce", .number(100...60_000), { $0.debounce }, { $0.debounce = $1 }),
        Field("lease", .number(10...3600), { $0.lease }, { $0.lease = $1 }),
        .kept("digest", .fixed, isRead: false, { $0.digest }, { $0.digest = $1 }),
    ])

    public var identity: Identity
    public private(set) var reader = ResourceID.zero
    public private(set) var readerKey: Int64 = 0
    /// The token that it stands in for, and ends with; nil when it was made by the machine's own user.
    public private(set) var token: ResourceID?
    /// Of a new one the digest of its secret, which is kept, and never read back.
    public private(set) var digest: Digest?
    public var watch = WatchList()
    public var policy = Policy.all
    /// Seconds without an event after which the client is told that it is still connected.
    public var heartbeat: Int32 = 15
    /// Milliseconds within which what is debounced is sent at most once, unless it says something else itself.
    public var debounce: Int32 = 500
    /// Seconds that it can be opened again after its last connection has gone.
    public var lease: Int32 = 120

    public init(_ identity: Identity) { self.identity = identity }

    /// A stream that watches nothing yet.
    public init(id: ResourceID, of viewer: Viewer, digest: Digest, createdAt: Instant) {
        self.init(Identity(id, madeAt: createdAt))
        version = 1
        (reader, readerKey, token) = (viewer.reader, viewer.readerKey, viewer.token)
        self.digest = digest
    }

    /// What it watches, as of which of its versions.
    public var revision: Int64 { version }
}

/// What a request says of a stream.
public struct StreamPatch: Sendable {
    private let fields: MergePatch<Stream>
    public let watch: WatchListPatch?

    /// Decodes a body; throws `LecternError.invalid` with all that is wrong with it. `debounce` is what the stream has when
    /// the body says nothing else.
    public init(_ body: JSONValue, form: BodyForm, debounce: Int32) throws(LecternError) {
        var decoder = ObjectDecoder(body)
        fields = MergePatch(&decoder, form)
        let said = decoder.value("watch")
        var violations: [Violation] = []
        let own = body["debounce"]?.integer.flatMap { Int32(exactly: $0) } ?? debounce
        watch = said.value.map { WatchListPatch($0, form: form, debounce: own, &violations) }
        if form == .whole, case .absent = said { decoder.missing("watch") }
        if case .null = said { decoder.refuse("watch", "cannot be removed") }
        violations = decoder.finish() + violations
        guard violations.isEmpty else { throw .invalid(violations) }
    }

    /// The stream after this was said of it, as of a revision.
    public func applied(to stream: Stream, revision: Int64) throws(LecternError) -> Stream {
        var new = fields.applied(to: stream)
        if let watch { new.watch = stream.watch.applying(watch, revision: revision) }
        guard new.watch.entries.count <= WatchListPatch.namesMax else {
            throw .limitReached(
                limit: "namesPerStreamMax", max: WatchListPatch.namesMax,
                "A stream watches \(WatchListPatch.namesMax) names at most.")
        }
        guard new.watch.entries.reduce(0, { $0 + $1.url.utf8.count }) <= WatchListPatch.urlsBytesMax else {
            throw .limitReached(
                limit: "urlBytesPerStreamMax", max: WatchListPatch.urlsBytesMax,
                "The URLs of a stream have \(WatchListPatch.urlsBytesMax) bytes at most.")
        }
        return new
    }
}

/// That a stream became another, or ended, after a change of the log.
public struct StreamNotice: Sendable {
    public let stream: ResourceID
    /// The last change before it.
    public let seq: Int64
    /// What it is from then on; nil when it has ended.
    public let value: Stream?

    public init(stream: ResourceID, seq: Int64, value: Stream?) {
        (self.stream, self.seq, self.value) = (stream, seq, value)
    }
}
