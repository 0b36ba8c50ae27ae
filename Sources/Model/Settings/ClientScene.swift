public import JSON

/// The state of a client on a reader's device, such as a selection or a draft, which it restores later.
public struct ClientScene: Resource {
    public static let kind = ResourceKind.scene
    public static let fields = ResourceFields<ClientScene>([
        .fixed("device", { $0.device }, { $0.device = $1 }),
        .fixed("name", { $0.name }, { $0.name = $1 }),
        ResourceField("value", { $0.value }, { $0.value = $1 }),
        .unsent("reader", .fixed, { $0.readerKey }, { $0.readerKey = $1 }),
        .unsent("used_day", .fixed, { $0.usedOn }, { $0.usedOn = $1 }),
    ])

    /// The maximum size of a stored value, in bytes.
    public static let bytesMax = 16 << 10

    public var identity: CommonResourceFields
    public private(set) var readerKey: Int64 = 0
    /// The client's name for the device.
    public private(set) var device = ""
    /// The client's name for the scene.
    public private(set) var name = ""
    public var value = RawJSONValue.null
    /// The day on which the scene was last written or fetched, by the server clock that ignores changes of the wall
    /// clock. It is updated at most once a day, without a change in the log.
    public private(set) var usedOn = UTCDay(number: 0)

    public init(_ identity: CommonResourceFields) { self.identity = identity }

    public init(at place: ClientSceneKey, of reader: RowReference, createdAt: Instant) {
        self.init(CommonResourceFields(place.id(of: reader.id), madeAt: createdAt))
        readerKey = reader.key
        (device, name) = (place.device, place.name)
    }
}

/// The body of a request that writes a scene.
public struct ClientSceneDraft: Sendable {
    public let value: RawJSONValue

    /// Decodes a body. Throws `RequestError.invalid` with all violations, or `tooLarge`.
    public init(_ body: JSONValue) throws(RequestError) {
        var decoder = ObjectDecoder(body)
        var given = RawJSONValue.null
        switch decoder.value("value") {
        case .absent: decoder.missing("value")
        case .value(let value): if let text = RawJSONValue(json: value) { given = text }
        case .null, .invalid: break
        }
        value = given
        try decoder.demandValid()
        guard value.bytes.count <= ClientScene.bytesMax else {
            throw .tooLarge(limit: "sceneBytesMax", max: ClientScene.bytesMax)
        }
    }
}
