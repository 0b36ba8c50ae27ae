public import JSON

/// A thing with an id, a version and fields: the content of a row, of an event and of a response to `GET`.
///
/// Its representation is `id`, `version`, the fields in order, and `createdAt` and `updatedAt` where it has them. Two
/// resources are equal if their row keys and the bytes of their representations are: text that only looks alike is
/// different.
public protocol Resource: Sendable, Equatable {
    static var kind: ResourceKind { get }
    static var fields: ResourceFields<Self> { get }
    var identity: CommonResourceFields { get set }
    /// The number in the ETag: the version, unless viewers receive different representations of one version.
    var validator: Int64 { get }
    /// Creates a resource with an identity and default fields, for a caller that fills them in.
    init(_ identity: CommonResourceFields)
}

extension Resource {
    public var validator: Int64 { identity.id.validator(version: identity.version) }

    // Inlinable, so that each module specializes them for the kinds that it sends. Without that a list takes twice as
    // long.

    /// Returns the representation, a JSON object.
    @inlinable
    public func encoded() -> [UInt8] {
        var json = JSONWriter(capacity: 512)
        write(to: &json)
        return json.bytes
    }

    /// Writes the representation.
    @inlinable
    public func write(to json: inout JSONWriter) {
        identity.begin(&json)
        let fields = Self.fields
        for index in fields.names.indices where !fields.leavesOut(index, self) {
            json.name(fields.names[index])
            fields.writers[index](self, &json)
        }
        identity.end(&json)
    }

    /// Returns the difference from an older value, or `nil` if writing this one over it changes nothing.
    ///
    /// Compares the representations byte for byte. Swift's own comparison takes "\u{e9}" and "e\u{301}" for the same,
    /// so one could never be corrected to the other.
    @inlinable
    public func difference(from old: Self) -> ResourceDifference? {
        let fields = Self.fields
        var (value, before) = (JSONWriter(capacity: 512), JSONWriter(capacity: 256))
        var other = JSONWriter(capacity: 256)
        var changed = FieldSet()
        // The fields that only the older value leaves out.
        var absent: [StaticString] = []
        identity.begin(&value)
        before.beginObject()
        before.member("version", old.version)
        for index in fields.names.indices {
            let (isOut, wasOut) = (fields.leavesOut(index, self), fields.leavesOut(index, old))
            if isOut, wasOut { continue }
            if !isOut { value.name(fields.names[index]) }
            let start = value.bytes.count
            if !isOut { fields.writers[index](self, &value) }
            other.bytes.removeAll(keepingCapacity: true)
            if !wasOut { fields.writers[index](old, &other) }
            if hasSameBytes(value.bytes, from: start, other.bytes) { continue }
            changed.insert(FieldSet(index: index))
            if wasOut {
                absent.append(fields.names[index])
            } else {
                before.name(fields.names[index])
                before.raw(other.bytes)
            }
        }
        guard !changed.isEmpty else { return nil }
        if !absent.isEmpty { before.array(ResourceRepresentation.absent, absent) { $1.string(ascii: $0) } }
        identity.end(&value)
        old.identity.writeUpdatedAt(to: &before)
        before.endObject()
        return ResourceDifference(changed: changed, value: value.bytes, before: before.bytes)
    }

    /// Returns whether two values are the same row in the same state.
    @_semantics("optimize.sil.specialize.generic.never")
    public static func == (left: Self, right: Self) -> Bool {
        left.key == right.key && left.encoded() == right.encoded()
    }
}
