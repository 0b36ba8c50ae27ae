import Glibc
public import JSON

/// A thing with an id, a version and fields: what rows hold, events carry and `GET` returns.
///
/// Its representation is `id`, `version`, the fields in order, `createdAt` and `updatedAt` where it has them. Two are
/// equal when their rows and the bytes of their representations are: text that only looks alike is another text.
public protocol Resource: Sendable, Equatable {
    /// Its kind.
    static var kind: ResourceKind { get }
    /// The names of its fields, in the order in which they are written.
    static var fieldNames: [StaticString] { get }
    /// The key of its row; 0 before it is stored, and never sent.
    var key: Int64 { get }
    /// The public id.
    var id: ResourceID { get }
    /// The `seq` of the change that made it what it is.
    var version: Int64 { get set }
    /// Set to the commit's time by each change that changes something.
    var updatedAt: Instant? { get set }
    /// When it was made; nil for what does not say so.
    var createdAt: Instant? { get }
    /// The value of the field at an index.
    func write(field index: Int, to json: inout JSONWriter)
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
}

extension Resource {
    /// Its representation, a JSON object.
    public func encoded() -> [UInt8] {
        var json = JSONWriter(capacity: 512)
        write(to: &json)
        return json.bytes
    }

    /// Writes its representation.
    public func write(to json: inout JSONWriter) {
        beginObject(&json)
        for (index, name) in Self.fieldNames.enumerated() {
            json.name(name)
            write(field: index, to: &json)
        }
        writeTimes(to: &json)
        json.endObject()
    }

    private func beginObject(_ json: inout JSONWriter) {
        json.beginObject()
        json.name("id")
        json.id(id)
        json.name("version")
        json.integer(version)
    }

    private func writeTimes(to json: inout JSONWriter) {
        if let createdAt {
            json.name("createdAt")
            json.instant(createdAt)
        }
        writeUpdatedAt(to: &json)
    }

    private func writeUpdatedAt(to json: inout JSONWriter) {
        guard let updatedAt else { return }
        json.name("updatedAt")
        json.instant(updatedAt)
    }

    /// How it differs from an older value of itself; nil when a write of it over that one changes nothing.
    ///
    /// What is sent is compared, byte for byte. Swift's own comparison takes "\u{e9}" and "e\u{301}" for the same, so that the
    /// one could never be corrected to the other.
    public func difference(from old: Self) -> Difference? {
        var (value, before) = (JSONWriter(capacity: 512), JSONWriter(capacity: 256))
        var other = JSONWriter(capacity: 256)
        var changed = FieldSet()
        beginObject(&value)
        before.beginObject()
        before.name("version")
        before.integer(old.version)
        for (index, name) in Self.fieldNames.enumerated() {
            value.name(name)
            let start = value.bytes.count
            write(field: index, to: &value)
            other.bytes.removeAll(keepingCapacity: true)
            old.write(field: index, to: &other)
            if hasSameBytes(value.bytes, from: start, other.bytes) { continue }
            changed.insert(FieldSet(index: index))
            before.name(name)
            before.raw(other.bytes)
        }
        guard !changed.isEmpty else { return nil }
        writeTimes(to: &value)
        value.endObject()
        old.writeUpdatedAt(to: &before)
        before.endObject()
        return Difference(changed: changed, value: value.bytes, before: before.bytes)
    }

    /// Whether two are the same row in the same state.
    public static func == (left: Self, right: Self) -> Bool {
        left.key == right.key && left.encoded() == right.encoded()
    }
}

/// Whether the bytes from an index on are those; four times as quick as comparing slices.
private func hasSameBytes(_ bytes: [UInt8], from start: Int, _ other: [UInt8]) -> Bool {
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
