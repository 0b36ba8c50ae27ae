public import JSON

#if canImport(Glibc)
    import Glibc
#endif

/// The difference between two states of a resource.
public struct ResourceDifference: Sendable {
    /// The fields whose values changed; never empty.
    public let changed: FieldSet
    /// The newer representation.
    public let value: [UInt8]
    /// The replaced members of the older representation. Merged over the newer one, they give the older one.
    public let before: [UInt8]

    @usableFromInline
    init(changed: FieldSet, value: [UInt8], before: [UInt8]) {
        (self.changed, self.value, self.before) = (changed, value, before)
    }
}

extension ResourceDifference {
    /// Compares two values of a kind of resource, whose fields the closures read. Inlined, because a closure that is
    /// called for each field copies the whole value.
    ///
    /// - Parameters:
    ///   - names: the names of all fields; those from `denseCount` on may be left out.
    ///   - isLeftOut: returns whether the newer or the older value leaves out a field, by its place among those.
    ///   - write: writes the field at an index, of the newer or the older value.
    @inlinable
    @inline(__always)
    init?(
        of new: CommonResourceFields, from old: CommonResourceFields, _ names: [StaticString], denseCount: Int,
        isLeftOut: (_ place: Int, _ isOld: Bool) -> Bool,
        write: (_ index: Int, _ isOld: Bool, inout JSONWriter) -> Void
    ) {
        var (value, before) = (JSONWriter(capacity: 512), JSONWriter(capacity: 256))
        var other = JSONWriter(capacity: 256)
        var changed = FieldSet()
        new.begin(&value)
        before.beginObject()
        before.member("version", old.version)
        for index in 0..<denseCount {
            value.name(names[index])
            let start = value.bytes.count
            write(index, false, &value)
            other.bytes.removeAll(keepingCapacity: true)
            write(index, true, &other)
            if hasSameBytes(value.bytes, from: start, other.bytes) { continue }
            changed.insert(FieldSet(index: index))
            before.name(names[index])
            before.raw(other.bytes)
        }
        // The sparse fields. `before` lists as absent the ones that the older value left out.
        var absent: [StaticString] = []
        for index in denseCount..<names.count {
            let (isOut, wasOut) = (isLeftOut(index - denseCount, false), isLeftOut(index - denseCount, true))
            if isOut, wasOut { continue }
            var (one, other) = (JSONWriter(capacity: 64), JSONWriter(capacity: 64))
            if !isOut {
                write(index, false, &one)
                value.name(names[index])
                value.raw(one.bytes)
            }
            if !wasOut { write(index, true, &other) }
            if hasSameBytes(one.bytes, from: 0, other.bytes) { continue }
            changed.insert(FieldSet(index: index))
            guard !other.bytes.isEmpty else {
                absent.append(names[index])
                continue
            }
            before.name(names[index])
            before.raw(other.bytes)
        }
        if !absent.isEmpty {
            before.name(ResourceRepresentation.absent)
            before.beginArray()
            for name in absent { before.string(ascii: name) }
            before.endArray()
        }
        guard !changed.isEmpty else { return nil }
        new.end(&value)
        old.writeUpdatedAt(to: &before)
        before.endObject()
        self.init(changed: changed, value: value.bytes, before: before.bytes)
    }
}

extension CommonResourceFields {
    /// Begins a representation: writes the id and the version.
    @usableFromInline
    func begin(_ json: inout JSONWriter) {
        json.beginObject()
        json.member("id", id)
        json.member("version", version)
    }

    /// Ends a representation: writes the times, if there are any.
    @usableFromInline
    func end(_ json: inout JSONWriter) {
        json.member("createdAt", ifAny: createdAt)
        writeUpdatedAt(to: &json)
        json.endObject()
    }

    @usableFromInline
    func writeUpdatedAt(to json: inout JSONWriter) {
        guard let updatedAt else { return }
        json.member("updatedAt", updatedAt)
    }
}

/// Returns whether two encoded values of a field have the same bytes. The first begins at an index of its array. Four
/// times as fast as comparing slices.
@usableFromInline
func hasSameBytes(_ bytes: [UInt8], from start: Int, _ other: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { bytes in
        other.withUnsafeBytes { other in
            guard bytes.count - start == other.count, let left = bytes.baseAddress, let right = other.baseAddress else {
                return bytes.count == start && other.isEmpty
            }
            // Safe: both buffers have `other.count` bytes from here on.
            return memcmp(left + start, right, other.count) == 0
        }
    }
}
