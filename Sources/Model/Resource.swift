public import JSON

/// A thing with an id, a version and fields: what rows hold, events carry and `GET` returns.
///
/// Its representation is `id`, `version`, the fields in order, `createdAt` and `updatedAt` where it has them. Two are
/// equal when their rows and the bytes of their representations are: text that only looks alike is another text.
public protocol Resource: Sendable, Equatable {
    static var kind: ResourceKind { get }
    static var fields: Fields<Self> { get }
    var identity: Identity { get set }
    /// One with nothing but an identity, for its fields to be filled in.
    init(_ identity: Identity)
}

extension Resource {
    /// The number in its ETag.
    public var validator: Int64 { identity.id.validator(version: identity.version) }

    // Inlinable, so that each room has them for the kinds that it sends: without that a list takes twice as long.

    /// Its representation, a JSON object.
    @inlinable
    public func encoded() -> [UInt8] {
        var json = JSONWriter(capacity: 512)
        write(to: &json)
        return json.bytes
    }

    /// Writes its representation.
    @inlinable
    public func write(to json: inout JSONWriter) {
        identity.begin(&json)
        let fields = Self.fields
        for index in 0..<fields.denseCount {
            json.name(fields.names[index])
            fields.writers[index](self, &json)
        }
        for index in 0..<fields.omissions.count where !fields.omissions[index](self) {
            json.name(fields.names[fields.denseCount + index])
            fields.writers[fields.denseCount + index](self, &json)
        }
        identity.end(&json)
    }

    /// How it differs from an older value of itself; nil when a write of it over that one changes nothing.
    ///
    /// What is sent is compared, byte for byte. Swift's own comparison takes "\u{e9}" and "e\u{301}" for the same, so that the
    /// one could never be corrected to the other.
    @inlinable
    public func difference(from old: Self) -> Difference? {
        let fields = Self.fields
        return Difference(
            of: identity, from: old.identity, fields.names, denseCount: fields.denseCount,
            isLeftOut: { place, isOld in isOld ? fields.omissions[place](old) : fields.omissions[place](self) },
            write: { index, isOld, json in
                if isOld { fields.writers[index](old, &json) } else { fields.writers[index](self, &json) }
            })
    }

    /// Whether two are the same row in the same state.
    @_semantics("optimize.sil.specialize.generic.never")
    public static func == (left: Self, right: Self) -> Bool {
        left.key == right.key && left.encoded() == right.encoded()
    }
}
