public import JSON

/// What a request says of a new entry.
public struct EntryDraft: Sendable {
    /// How far: as a fraction, or as a page.
    public enum Position: Sendable, Equatable {
        case progress(Progress)
        case page(Int32)
    }

    /// How far.
    public let position: Position
    /// See `Entry.note`.
    public let note: String?
    /// See `Entry.device`.
    public let device: String?
    /// Nil means now.
    public let happenedAt: Instant?

    /// How far ahead of the server's clock a device's may be: five minutes.
    public static let clockSkewSecondsMax: Int64 = 300

    /// Decodes a body; throws `LecternError.invalid` with all that is wrong with it.
    public init(_ body: JSONValue, now: Instant) throws(LecternError) {
        var decoder = ObjectDecoder(body)
        position = Self.position(&decoder)
        note = Self.text(decoder.string("note", length: 0...10_000, multiline: true))
        device = Self.text(decoder.string("device", length: 1...100))
        happenedAt = Self.happenedAt(&decoder, now)
        let violations = decoder.finish()
        guard violations.isEmpty else { throw .invalid(violations) }
    }

    private static func position(_ decoder: inout ObjectDecoder) -> Position {
        let progress = decoder.number("progress", in: 0...1)
        let page = decoder.integer("page", in: 0...100_000)
        switch (progress, page) {
        case (.value, .value):
            decoder.refuse("page", "must be absent when progress is given")
        case (.value(let fraction), _): if let progress = Progress(fraction) { return .progress(progress) }
        case (_, .value(let page)): return .page(Int32(page))
        case (.invalid, _), (_, .invalid): break
        case (.null, _): decoder.refuse("progress", "must not be null")
        case (_, .null): decoder.refuse("page", "must not be null")
        default: decoder.missing("progress")
        }
        return .progress(.none)
    }

    private static func happenedAt(_ decoder: inout ObjectDecoder, _ now: Instant) -> Instant? {
        guard case .value(let text) = decoder.string("happenedAt", length: 1...40) else { return nil }
        guard let instant = Instant(text) else {
            decoder.refuse("happenedAt", "must be an RFC 3339 date-time such as 2026-11-21T09:30:00Z")
            return nil
        }
        guard instant <= now.adding(seconds: clockSkewSecondsMax) else {
            decoder.refuse("happenedAt", "must not lie in the future")
            return nil
        }
        return instant
    }

    private static func text(_ decoded: ObjectDecoder.Decoded<String>) -> String? {
        if case .value(let text) = decoded, !text.isEmpty { text } else { nil }
    }
}
