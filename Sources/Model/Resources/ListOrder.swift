import JSON

/// The order of a list. The representation and the key of a row give its place.
public struct ListOrder: Hashable, Sendable {
    /// The sort key, before the row key, which grows with time.
    public enum Sort: Hashable, Sendable {
        /// The row key alone.
        case creation
        case instant(String)
        case number(String)
        /// The year. Books without one come before all others.
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

    /// Creates the order of the catalogue, or returns `nil` for relevance, which depends on more than the row.
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

    /// The order of creation, latest first.
    public static let newestFirst = ListOrder(by: .creation, isDescending: true)
    /// The order of creation, earliest first.
    public static let oldestFirst = ListOrder(by: .creation)

    /// The year by which books without a year are sorted.
    public static let unknownYear: Int64 = -100_000

    /// Returns the place of a representation, or `nil` if it lacks the field by which the list is sorted.
    public func place(of representation: ResourceRepresentation, key: Int64) -> ListPlace? {
        switch sort {
        case .creation: ListPlace(key: key)
        case .instant(let name):
            representation[name].flatMap { Instant(json: $0) }.map { ListPlace(.number($0.milliseconds), key: key) }
        case .number(let name): representation[name]?.integer.map { ListPlace(.number($0), key: key) }
        case .publishedYear:
            ListPlace(.number(representation["publishedYear"]?.integer ?? Self.unknownYear), key: key)
        case .title: Book(representation).map { ListPlace(.text(Array($0.sortTitle.utf8)), key: key) }
        case .author: Book(representation).map { ListPlace(.text(Array($0.sortAuthor.utf8)), key: key) }
        }
    }

    /// Returns whether the first place comes before the second.
    @inline(__always)
    public func precedes(_ left: ListPlace, _ right: ListPlace) -> Bool {
        isDescending ? right < left : left < right
    }
}

/// The place of a row in a list: its sort value, then its key. Numbers and texts compare as in SQLite, texts by their
/// bytes.
public struct ListPlace: Hashable, Sendable {
    public let value: SortValue
    /// The key of the row; 0 where it is unknown.
    public let key: Int64

    public init(_ value: SortValue = .none, key: Int64) {
        self.value = value
        self.key = key
    }
}

/// The sort value of a row.
public enum SortValue: Hashable, Sendable {
    case none
    case number(Int64)
    case text([UInt8])
}

extension ListPlace: Comparable {
    /// Compares two places of one list, whose values are of one case.
    public static func < (left: ListPlace, right: ListPlace) -> Bool {
        switch (left.value, right.value) {
        case (.number(let one), .number(let other)) where one != other: return one < other
        case (.text(let one), .text(let other)) where one != other: return one.lexicographicallyPrecedes(other)
        default: return left.key < right.key
        }
    }
}
