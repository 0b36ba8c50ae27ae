/// A set of a resource's fields, by their index in the list of the kind.
///
/// The indices are never written: names are stored and sent.
public struct FieldSet: OptionSet, Hashable, Sendable {
    /// The bits, one for each field.
    public let rawValue: UInt64

    /// Creates the set with these bits.
    public init(rawValue: UInt64) { self.rawValue = rawValue }

    /// Creates the set of the field at an index from 0 to 63.
    public init(index: Int) { rawValue = 1 << UInt64(index) }

    /// The indices of the fields, ascending.
    public var indices: some Sequence<Int> {
        sequence(state: rawValue) { left -> Int? in
            guard left != 0 else { return nil }
            defer { left &= left &- 1 }
            return left.trailingZeroBitCount
        }
    }
}
