/// That a reader may not come in for now: no token of theirs is taken, and they do not sign in. Administrators say it, and take it
/// back.
public struct Suspension: Resource {
    public static let kind = ResourceKind.suspension
    public static let fields = Fields<Suspension>([
        Field("reason", .text(1...1000, multiline: true), { $0.reason }, { $0.reason = $1 })
    ])

    /// Its id and its key are the reader's.
    public var identity: Identity
    /// 1 to 1,000 characters, for administrators, and for the reader afterwards.
    public var reason: String?

    public init(_ identity: Identity) { self.identity = identity }

    public init(of reader: Reader, createdAt: Instant) {
        self.init(Identity(reader.id, madeAt: createdAt))
        key = reader.key
    }
}
