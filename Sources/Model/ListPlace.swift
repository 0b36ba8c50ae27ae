import Glibc

/// Where a row stands in a list: what it is sorted by, and then its key. Numbers and texts compare as SQLite compares them,
/// texts by their bytes.
public struct ListPlace: Hashable, Sendable {
    /// What the row is sorted by, before its key.
    public enum Value: Hashable, Sendable {
        case none
        case number(Int64)
        case text([UInt8])
    }

    public let value: Value
    /// The row's; 0 where that is not known.
    public private(set) var key: Int64

    public init(_ value: Value = .none, key: Int64) {
        self.value = value
        self.key = key
    }

    /// The same with the key of a row that is known.
    public func with(key: Int64) -> ListPlace {
        var place = self
        place.key = key
        return place
    }
}

extension ListPlace: Comparable {
    /// Places of one list have values of one case.
    public static func < (left: ListPlace, right: ListPlace) -> Bool {
        switch (left.value, right.value) {
        case (.number(let one), .number(let other)) where one != other: return one < other
        case (.text(let one), .text(let other)):
            let order = compare(one, other)
            return order == 0 ? left.key < right.key : order < 0
        default: return left.key < right.key
        }
    }

    private static func compare(_ left: [UInt8], _ right: [UInt8]) -> Int {
        let order = left.withUnsafeBytes { left in
            right.withUnsafeBytes { right in
                let count = min(left.count, right.count)
                guard count > 0, let left = left.baseAddress, let right = right.baseAddress else { return Int32(0) }
                // Safe: both have as many bytes as are compared.
                return memcmp(left, right, count)
            }
        }
        return order == 0 ? left.count - right.count : Int(order)
    }
}
