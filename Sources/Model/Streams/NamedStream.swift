public import JSON

/// A set of named URLs that a client watches on one connection, and reopens after each interruption. Its state is
/// stored and changes without an event.
public struct NamedStream: Resource {
    public static let kind = ResourceKind.stream
    public static let fields = ResourceFields<NamedStream>([
        .link("reader", { $0.reader }, { $0.reader = $1 }, key: { $0.readerKey }, { $0.readerKey = $1 }),
        .fixed("token", { $0.token }, { $0.token = $1 }),
        ResourceField("watch", { $0.watch }, { $0.watch = $1 }),
        ResourceField("heartbeat", .number(5...60), { $0.heartbeat }, { $0.heartbeat = $1 }),
        ResourceField("debounce", .number(100...60_000), { $0.debounce }, { $0.debounce = $1 }),
        ResourceField("lease", .number(10...3600), { $0.lease }, { $0.lease = $1 }),
        .unsent("digest", .fixed, isRead: false, { $0.digest }, { $0.digest = $1 }),
    ])

    public var identity: CommonResourceFields
    public private(set) var reader = ResourceID.zero
    public private(set) var readerKey: Int64 = 0
    /// The token that the stream stands in for, and with which it ends; `nil` for a stream created over the local
    /// socket.
    public private(set) var token: ResourceID?
    /// The digest of the secret, set only on a new stream. It is stored and never read back.
    public private(set) var digest: SHA256Digest?
    public var watch = WatchList()
    /// The number of seconds without an event after which a heartbeat is sent.
    public var heartbeat: Int32 = 15
    /// The default interval for debounced URLs, in milliseconds. Each is sent at most once in it.
    public var debounce: Int32 = 500
    /// The number of seconds after the last connection during which the stream can be reopened.
    public var lease: Int32 = 120

    public init(_ identity: CommonResourceFields) { self.identity = identity }

    /// Creates a stream that watches nothing.
    public init(id: ResourceID, of viewer: Viewer, digest: SHA256Digest, createdAt: Instant) {
        self.init(CommonResourceFields(id, madeAt: createdAt))
        version = 1
        (reader, readerKey, token) = (viewer.reader, viewer.readerKey, viewer.token)
        self.digest = digest
    }

    /// The revision of the watch list, which is the version of the stream.
    public var revision: Int64 { version }
}

/// The body of a request that creates or changes a stream.
public struct NamedStreamPatch: Sendable {
    private let fields: MergePatch<NamedStream>
    public let watch: WatchListPatch?

    /// Decodes a body. Throws `RequestError.invalid` with all violations. `debounce` is the default interval if the
    /// body gives none.
    public init(_ body: JSONValue, form: RequestBodyForm, debounce: Int32) throws(RequestError) {
        var decoder = ObjectDecoder(body)
        fields = MergePatch(&decoder, form)
        let given = decoder.required("watch", decoder.value("watch"), form)
        var violations: [Violation] = []
        let own = body["debounce"]?.integer.flatMap { Int32(exactly: $0) } ?? debounce
        watch = given.map { WatchListPatch($0, form: form, debounce: own, &violations) }
        violations = decoder.finish() + violations
        guard violations.isEmpty else { throw .invalid(violations) }
    }

    /// Returns the stream with the changes applied, as of a revision. Throws `limitReached` for too many names or too
    /// long URLs.
    public func applied(to stream: NamedStream, revision: Int64) throws(RequestError) -> NamedStream {
        var new = fields.applied(to: stream)
        if let watch { new.watch = stream.watch.applying(watch, revision: revision) }
        guard new.watch.entries.count <= WatchListPatch.namesMax else {
            throw .exceeded(
                .limitReached, limit: "namesPerStreamMax", max: WatchListPatch.namesMax,
                "A stream has at most \(WatchListPatch.namesMax) names.")
        }
        guard new.watch.entries.reduce(0, { $0 + $1.url.utf8.count }) <= WatchListPatch.urlsBytesMax else {
            throw .exceeded(
                .limitReached, limit: "urlBytesPerStreamMax", max: WatchListPatch.urlsBytesMax,
                "The URLs of a stream have at most \(WatchListPatch.urlsBytesMax) bytes.")
        }
        return new
    }
}

/// The change or the end of a stream, after a change of the log.
public struct StreamRowChange: Sendable {
    public let stream: ResourceID
    /// The last change of the log before it.
    public let seq: Int64
    /// The stream from then on, or `nil` if it has ended.
    public let value: NamedStream?

    public init(stream: ResourceID, seq: Int64, value: NamedStream?) {
        (self.stream, self.seq, self.value) = (stream, seq, value)
    }
}
