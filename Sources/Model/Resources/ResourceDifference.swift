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
    func writeUpdatedAt(to json: inout JSONWriter) { json.member("updatedAt", ifAny: updatedAt) }
}

/// Returns whether two encoded values of a field have the same bytes. The first begins at an index of its array.
@usableFromInline
func hasSameBytes(_ bytes: [UInt8], from start: Int, _ other: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { bytes in
        other.withUnsafeBytes { hasSameBytes(UnsafeRawBufferPointer(rebasing: bytes[start...]), $0) }
    }
}

/// Returns whether two buffers have the same bytes. Four times as fast as comparing sequences.
func hasSameBytes(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
    guard left.count == right.count, let one = left.baseAddress, let other = right.baseAddress else {
        return left.isEmpty && right.isEmpty
    }
    // Safe: both have this many bytes.
    return memcmp(one, other, left.count) == 0
}
