public import JSON

#if canImport(Glibc)
    import Glibc
#endif

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

/// What a change of a resource changed.
public struct Difference: Sendable {
    /// The fields whose values changed: never none.
    public let changed: FieldSet
    /// The newer representation.
    public let value: [UInt8]
    /// The members of the older representation that the change replaced: laid over the newer one they give the older one
    /// back.
    public let before: [UInt8]

    @usableFromInline
    init(changed: FieldSet, value: [UInt8], before: [UInt8]) {
        self.changed = changed
        self.value = value
        self.before = before
    }
}

extension Resource {
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
        beginObject(&json)
        let fields = Self.fields
        for index in 0..<fields.denseCount {
            json.name(fields.names[index])
            fields.writers[index](self, &json)
        }
        for index in 0..<fields.omissions.count where !fields.omissions[index](self) {
            json.name(fields.names[fields.denseCount + index])
            fields.writers[fields.denseCount + index](self, &json)
        }
        writeTimes(to: &json)
        json.endObject()
    }

    @inlinable
    func beginObject(_ json: inout JSONWriter) {
        json.beginObject()
        json.name("id")
        json.id(id)
        json.name("version")
        json.integer(version)
    }

    @inlinable
    func writeTimes(to json: inout JSONWriter) {
        if let createdAt {
            json.name("createdAt")
            json.instant(createdAt)
        }
        writeUpdatedAt(to: &json)
    }

    @inlinable
    func writeUpdatedAt(to json: inout JSONWriter) {
        guard let updatedAt else { return }
        json.name("updatedAt")
        json.instant(updatedAt)
    }

    /// How it differs from an older value of itself; nil when a write of it over that one changes nothing.
    ///
    /// What is sent is compared, byte for byte. Swift's own comparison takes "\u{e9}" and "e\u{301}" for the same, so that the
    /// one could never be corrected to the other.
    @inlinable
    public func difference(from old: Self) -> Difference? {
        var (value, before) = (JSONWriter(capacity: 512), JSONWriter(capacity: 256))
        var other = JSONWriter(capacity: 256)
        var changed = FieldSet()
        beginObject(&value)
        before.beginObject()
        before.name("version")
        before.integer(old.version)
        let fields = Self.fields
        for index in 0..<fields.denseCount {
            let write = fields.writers[index]
            value.name(fields.names[index])
            let start = value.bytes.count
            write(self, &value)
            other.bytes.removeAll(keepingCapacity: true)
            write(old, &other)
            if hasSameBytes(value.bytes, from: start, other.bytes) { continue }
            changed.insert(FieldSet(index: index))
            before.name(fields.names[index])
            before.raw(other.bytes)
        }
        if !fields.omissions.isEmpty { compareSparse(with: old, &value, &before, &changed) }
        guard !changed.isEmpty else { return nil }
        writeTimes(to: &value)
        value.endObject()
        old.writeUpdatedAt(to: &before)
        before.endObject()
        return Difference(changed: changed, value: value.bytes, before: before.bytes)
    }

    /// The same of what may be left out. What the older one left out `before` names as absent.
    @inlinable
    func compareSparse(
        with old: Self, _ value: inout JSONWriter, _ before: inout JSONWriter, _ changed: inout FieldSet
    ) {
        let fields = Self.fields
        var absent: [StaticString] = []
        for place in 0..<fields.omissions.count {
            let (isOut, wasOut) = (fields.omissions[place](self), fields.omissions[place](old))
            if isOut, wasOut { continue }
            let index = fields.denseCount + place
            var (one, other) = (JSONWriter(capacity: 64), JSONWriter(capacity: 64))
            if !isOut {
                fields.writers[index](self, &one)
                value.name(fields.names[index])
                value.raw(one.bytes)
            }
            if !wasOut { fields.writers[index](old, &other) }
            if hasSameBytes(one.bytes, from: 0, other.bytes) { continue }
            changed.insert(FieldSet(index: index))
            guard !other.bytes.isEmpty else {
                absent.append(fields.names[index])
                continue
            }
            before.name(fields.names[index])
            before.raw(other.bytes)
        }
        guard !absent.isEmpty else { return }
        before.name(Representation.absent)
        before.beginArray()
        for name in absent { before.string(ascii: name) }
        before.endArray()
    }

    /// Whether two are the same row in the same state.
    public static func == (left: Self, right: Self) -> Bool {
        left.key == right.key && left.encoded() == right.encoded()
    }
}

/// Whether the bytes from an index on are those; four times as quick as comparing slices.
@usableFromInline
func hasSameBytes(_ bytes: [UInt8], from start: Int, _ other: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { bytes in
        other.withUnsafeBytes { other in
            guard bytes.count - start == other.count, let left = bytes.baseAddress, let right = other.baseAddress else {
                return bytes.count == start && other.isEmpty
            }
            // Safe: from `start` on there are as many bytes as are compared.
            return memcmp(left + start, right, other.count) == 0
        }
    }
}
