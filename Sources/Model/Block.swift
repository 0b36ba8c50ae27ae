/// That a reader is shown nothing of what another writes. Nobody else is told of it.
public struct Block: Resource {
    public static let kind = ResourceKind.block
    public static let fields = Fields<Block>([
        .link(
            "reader", from: "readers.id", { $0.reader }, { $0.reader = $1 }, key: "blocked", { $0.readerKey },
            { $0.readerKey = $1 }),
        .fixed("name", { $0.name }, { $0.name = $1 }),
        .kept("owner", .fixed, { $0.ownerKey }, { $0.ownerKey = $1 }),
    ])

    public var identity: Identity
    /// Who is blocked.
    public private(set) var reader = ResourceID.zero
    public private(set) var readerKey: Int64 = 0
    /// What they were called then.
    public private(set) var name = ""
    /// Who blocks them.
    public private(set) var ownerKey: Int64 = 0

    public init(_ identity: Identity) { self.identity = identity }

    public init(of reader: Reader, by owner: (id: ResourceID, key: Int64), createdAt: Instant) {
        self.init(Identity(id: Self.id(of: reader.id, by: owner.id), createdAt: createdAt))
        (self.reader, readerKey, name) = (reader.id, reader.key, reader.name)
        ownerKey = owner.key
    }

    /// The id follows from both readers, so that who watches a block also receives the next block of the same reader.
    public static func id(of reader: ResourceID, by owner: ResourceID) -> ResourceID {
        ResourceID(following: Array("block".utf8) + [owner, reader].flatMap { $0.withBytes { Array($0) } })
    }
}
