public import JSON

/// What a request says of a new entry.
public struct EntryDraft: Sendable {
    /// How far.
    public let position: PositionDraft
    /// What the entry itself says, which is for its reader alone.
    public let text: String?
    /// A note that is made with it.
    public let note: EntryNoteDraft?
    /// See `Entry.device`.
    public let device: String?
    /// Nil means now.
    public let happenedAt: Instant?

    /// How far ahead of the server's clock a device's may be: a day, for devices that take their local time for UTC's. It
    /// gains them nothing: see `Entry.takesPlace`.
    public static let secondsAheadMax: Int64 = 86_400

    /// Decodes a body; throws `LecternError.invalid` with all that is wrong with it.
    public init(_ body: JSONValue, now: Instant) throws(LecternError) {
        var decoder = ObjectDecoder(body)
        position = decoder.entryPosition() ?? .progress(.none)
        (text, note) = Self.noted(&decoder)
        device = Self.text(decoder.string("device", length: 1...100))
        happenedAt = Self.happenedAt(&decoder, now)
        try decoder.demandValid()
    }

    private static func happenedAt(_ decoder: inout ObjectDecoder, _ now: Instant) -> Instant? {
        guard case .value(let instant) = decoder.instant("happenedAt") else { return nil }
        guard instant <= now.adding(seconds: secondsAheadMax) else {
            decoder.refuse("happenedAt", "must not lie more than a day ahead of the server's clock, which says \(now)")
            return nil
        }
        return instant
    }

    /// A text, or a note.
    private static func noted(_ decoder: inout ObjectDecoder) -> (String?, EntryNoteDraft?) {
        guard case .value(let said) = decoder.value("note") else { return (nil, nil) }
        guard said.kind == .object else {
            guard said.kind == .string else {
                decoder.refuse("note", "must be a string, or an object: a note of its own")
                return (nil, nil)
            }
            return (text(decoder.string("note", length: 0...10_000, multiline: true)), nil)
        }
        var inner = ObjectDecoder(said)
        let note = EntryNoteDraft(said, &inner)
        decoder.refuse("note", inner.finish())
        return (nil, note)
    }

    private static func text(_ decoded: ObjectDecoder.Decoded<String>) -> String? {
        if case .value(let text) = decoded, !text.isEmpty { text } else { nil }
    }
}
