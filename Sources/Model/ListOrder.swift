import Glibc
import JSON

/// In which order a list has its rows: what is sent of a row, and its key, say where it stands.
public struct ListOrder: Hashable, Sendable {
    /// By what, before the key, which grows with time.
    public enum Sort: Hashable, Sendable {
        /// By the key alone.
        case creation
        case instant(String)
        case number(String)
        /// Books without a year come before all others.
        case publishedYear
        case title
        case author
    }

    public let sort: Sort
    public let isDescending: Bool

    public init(by sort: Sort, isDescending: Bool = false) {
        self.sort = sort
        self.isDescending = isDescending
    }

    /// The order of the catalogue; nil for relevance, which no row has of its own.
    public init?(_ order: BookOrder, isDescending: Bool) {
        switch order {
        case .relevance: return nil
        case .title: sort = .title
        case .author: sort = .author
        case .publishedYear: sort = .publishedYear
        case .createdAt: sort = .creation
        case .updatedAt: sort = .instant("updatedAt")
        }
        self.isDescending = isDescending
    }

    /// The last that was made first.
    public static let newestFirst = ListOrder(by: .creation, isDescending: true)
    /// The one that was made first first.
    public static let oldestFirst = ListOrder(by: .creation)

    /// What a book without a year is sorted by.
    public static let unknownYear: Int64 = -100_000

    /// Where what is sent like this stands; nil for what does not have what it is sorted by.
    public func place(of representation: Representation, key: Int64) -> ListPlace? {
        switch sort {
        case .creation: ListPlace(key: key)
        case .instant(let name):
            representation[name].flatMap { Instant(json: $0) }.map { ListPlace(.number($0.milliseconds), key: key) }
        case .number(let name): representation[name]?.integer.map { ListPlace(.number($0), key: key) }
        case .publishedYear:
            ListPlace(.number(representation["publishedYear"]?.integer ?? Self.unknownYear), key: key)
        case .title, .author: Book(representation).map { ListPlace(.text(sortKey(of: $0).bytes), key: key) }
        }
    }

    private func sortKey(of book: Book) -> SortKey {
        sort == .title
            ? SortKey(title: book.title, language: book.language)
            : SortKey(authors: book.authors, title: book.title, language: book.language)
    }

    /// Whether one place comes before another.
    @inline(__always)
    public func precedes(_ left: ListPlace, _ right: ListPlace) -> Bool {
        isDescending ? right < left : left < right
    }
}

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
