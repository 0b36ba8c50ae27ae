public import JSON

/// The body of a request that creates an entry.
public struct EntryDraft: Sendable {
    /// The position.
    public let position: PositionDraft
    /// The entry's own text, which only its reader sees.
    public let text: String?
    /// The note to create with the entry.
    public let note: NoteDraft?
    /// The device: see `Entry.device`.
    public let device: String?
    /// The time by the device's clock, or `nil` for now.
    public let happenedAt: Instant?

    /// The maximum number of seconds that a device's clock may be ahead of the server's. One day, for devices that take
    /// their local time for UTC. A client gains nothing by it: see `Entry.happenedAt`.
    public static let secondsAheadMax: Int64 = 86_400

    /// Decodes a body. Throws `RequestError.invalid` with all violations.
    public init(_ body: JSONValue, now: Instant) throws(RequestError) {
        var decoder = ObjectDecoder(body)
        position = decoder.entryPosition() ?? PositionDraft(bare: .progress(.none))
        (text, note) = Self.textOrNote(&decoder)
        device = decoder.string("device", length: 1...100).value
        happenedAt = Self.happenedAt(&decoder, now)
        try decoder.demandValid()
    }

    private static func happenedAt(_ decoder: inout ObjectDecoder, _ now: Instant) -> Instant? {
        guard case .value(let instant) = decoder.instant("happenedAt") else { return nil }
        guard instant <= now.adding(seconds: secondsAheadMax) else {
            decoder.refuse("happenedAt", "must be at most a day after the server's time, \(now)")
            return nil
        }
        return instant
    }

    /// Decodes the member `note`, which is a text or an object.
    private static func textOrNote(_ decoder: inout ObjectDecoder) -> (String?, NoteDraft?) {
        guard case .value(let given) = decoder.value("note") else { return (nil, nil) }
        guard given.kind == .object else {
            guard given.kind == .string else {
                decoder.refuse("note", "must be a string, or an object for a separate note")
                return (nil, nil)
            }
            let text = decoder.string("note", length: 0...10_000, multiline: true).value
            return (text == "" ? nil : text, nil)
        }
        var inner = ObjectDecoder(given)
        let note = NoteDraft(&inner, on: .entry(nil))
        decoder.refuse("note", inner.finish())
        return (nil, note)
    }
}
