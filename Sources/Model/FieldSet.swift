/// A set of a resource's fields, by their index in its kind's list.
///
/// The indices are written nowhere: stored and sent are always the names.
public struct FieldSet: OptionSet, Hashable, Sendable {
    /// One bit a field.
    public let rawValue: UInt64

    /// The set with these bits.
    public init(rawValue: UInt64) { self.rawValue = rawValue }

    /// The set of the one field at an index from 0 to 63.
    public init(index: Int) { rawValue = 1 << UInt64(index) }

    /// The indices of the set's fields, ascending.
    public var indices: some Sequence<Int> {
        sequence(state: rawValue) { left -> Int? in
            guard left != 0 else { return nil }
            defer { left &= left &- 1 }
            return left.trailingZeroBitCount
        }
    }
}
