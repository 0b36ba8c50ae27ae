/// A block: the owner is shown nothing that the blocked reader writes. Only the owner knows of it.
public struct ReaderBlock: Resource {
    public static let kind = ResourceKind.block
    public static let fields = ResourceFields<ReaderBlock>([
        .link(
            "reader", column: "blocked", { $0.reader }, { $0.reader = $1 }, key: { $0.readerKey }, { $0.readerKey = $1 }
        ),
        .fixed("name", { $0.name }, { $0.name = $1 }).required(),
        .unsent("owner", .fixed, { $0.ownerKey }, { $0.ownerKey = $1 }),
    ])

    public var identity: CommonResourceFields
    /// The blocked reader.
    public private(set) var reader = ResourceID.zero
    public private(set) var readerKey: Int64 = 0
    /// The name of the blocked reader at the time of the block.
    public private(set) var name = ""
    /// The key of the reader who blocks.
    public private(set) var ownerKey: Int64 = 0

    public init(_ identity: CommonResourceFields) { self.identity = identity }

    public init(of reader: Reader, by owner: RowReference, createdAt: Instant) {
        self.init(CommonResourceFields(id: Self.id(of: reader.id, by: owner.id), createdAt: createdAt))
        (self.reader, readerKey, name) = (reader.id, reader.key, reader.name)
        ownerKey = owner.key
    }

    /// Derives the id from both readers. A stream that watches a block then also receives a later block of the same
    /// reader.
    public static func id(of reader: ResourceID, by owner: ResourceID) -> ResourceID {
        ResourceID(following: Array("block".utf8) + [owner, reader].flatMap { $0.withBytes { Array($0) } })
    }
}
