public import JSON

/// The suspension of a reader: none of their tokens is accepted, and they cannot sign in.
public struct ReaderSuspension: StoredAsJSON {
    /// The time at which an administrator suspended the reader.
    public let since: Instant
    /// The reason, 1 to 1,000 characters. Administrators see it, and the reader after the suspension has ended.
    public var reason: String?

    public init(since: Instant, reason: String? = nil) {
        (self.since, self.reason) = (since, reason)
    }

    public init?(json: JSONValue) {
        guard let since = json["since"].flatMap({ Instant(json: $0) }) else { return nil }
        self.init(since: since, reason: json["reason"]?.string)
    }

    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("since", since)
            json.member("reason", ifAny: reason)
        }
    }
}

/// The change of a suspension in a request.
public struct ReaderSuspensionPatch: Sendable {
    private var reason = DecodedMember<String>.absent

    /// Decodes the member `suspension` of a reader.
    static func decoded(_ decoder: inout ObjectDecoder) -> DecodedMember<ReaderSuspensionPatch> {
        decoder.value("suspension").map { value in
            var inner = ObjectDecoder(value)
            let reason = inner.string("reason", length: 1...1000, multiline: true)
            decoder.refuse("suspension", inner.finish())
            return ReaderSuspensionPatch(reason: reason)
        }
    }

    /// Returns the suspension after the change. It begins now if there was none.
    public func applied(to old: ReaderSuspension?, now: Instant) -> ReaderSuspension {
        var new = old ?? ReaderSuspension(since: now)
        reason.apply(to: &new.reason)
        return new
    }
}
