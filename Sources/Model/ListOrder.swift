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
