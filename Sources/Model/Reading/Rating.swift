public import JSON

/// A reader's rating of a book, after one of their readings. Only the reader sees it.
public struct Rating: Resource {
    public static let kind = ResourceKind(number: 45)
    public static let fields = ResourceFields<Rating>([
        .link("reading", { $0.reading }, { $0.reading = $1 }, key: { $0.readingKey }, { $0.readingKey = $1 }),
        .joined("book", from: "books.id", { $0.book }, { $0.book = $1 }),
        ResourceField("stars", .stars, { $0.stars }, { $0.stars = $1 }),
        ResourceField("noteId", .id, { $0.noteID }, { $0.noteID = $1 }),
        .unsent("reader", .fixed, { $0.readerKey }, { $0.readerKey = $1 }),
    ])

    public var identity: CommonResourceFields
    public private(set) var reading = ResourceID.zero
    public private(set) var readingKey: Int64 = 0
    public private(set) var readerKey: Int64 = 0
    public private(set) var book = ResourceID.zero
    public var stars = Stars.least
    /// The id of the note with the review, or `nil` without one. It is a note of the same reader about the same book.
    public var noteID: ResourceID?

    public init(_ identity: CommonResourceFields) { self.identity = identity }

    /// Creates the rating of a reading. It has the reading's id, so a stream continues if it is deleted and set again.
    public init(of reading: Reading, createdAt: Instant) {
        self.init(CommonResourceFields(reading.id, madeAt: createdAt))
        belong(to: reading)
    }

    /// Sets the fields that follow from the reading.
    public mutating func belong(to reading: Reading) {
        (self.reading, readingKey) = (reading.id, reading.key)
        (readerKey, book) = (reading.readerKey, reading.book)
    }
}

/// A number of stars, from half a star to five, in halves.
public struct Stars: StorableValue, Hashable {
    /// The number of half stars, 1 to 10.
    public let halves: Int64

    /// Half a star.
    public static let least = Stars(unchecked: 1)

    private init(unchecked halves: Int64) { self.halves = halves }

    /// Creates stars from a number of half stars, or returns `nil` outside 1...10.
    public init?(halves: Int64) {
        guard (1...10).contains(halves) else { return nil }
        self.init(unchecked: halves)
    }

    public var cell: DatabaseValue { .integer(halves) }

    public init?(cell: DatabaseValue) {
        guard case .integer(let halves) = cell else { return nil }
        self.init(halves: halves)
    }

    public func write(to json: inout JSONWriter) { json.decimal(millionths: Int(halves) * 500_000) }

    public init?(json: JSONValue) {
        guard let halves = json.double.flatMap({ Int64(exactly: $0 * 2) }) else { return nil }
        self.init(halves: halves)
    }
}

extension FieldRule where Value == Stars {
    /// A rule that requires a number of stars.
    static let stars = FieldRule { decoder, name, form in
        let stars = decoder.parsed(name, "must be a number from 0.5 to 5 in steps of 0.5") { Stars(json: $0) }
        return decoder.required(name, stars, form)
    }
}
