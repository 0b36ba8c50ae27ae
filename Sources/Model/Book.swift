public import JSON

/// A book of the catalogue, which every reader shares.
public struct Book: Resource {
    /// The row's key; 0 before it is stored, and never sent.
    public var key: Int64 = 0
    /// Of a new one the key of the row of the reader who added it; nil for the house. Kept, never sent, and not read back.
    public var adderKey: Int64?
    /// The public id.
    public let id: ResourceID
    /// The `seq` of its last change.
    public var version: Int64 = 0
    /// The `seq` of its last change that a card shows.
    public var cardVersion: Int64 = 0
    /// 1 to 500 characters.
    public var title: String
    /// In the order of the title page; may be empty.
    public var authors: [String]
    /// Thirteen digits.
    public var isbn: String?
    /// 1 to 100,000.
    public var pageCount: Int32?
    /// A BCP 47 tag.
    public var language: String?
    /// Negative before the common era.
    public var publishedYear: Int32?
    /// An http or https URL.
    public var coverURL: String?
    /// When it joined the catalogue.
    public var createdAt: Instant?
    /// When it last changed.
    public var updatedAt: Instant?

    /// A book with a title and nothing else.
    public init(id: ResourceID, title: String = "", authors: [String] = [], createdAt: Instant) {
        self.id = id
        self.title = title
        self.authors = authors
        self.createdAt = createdAt
        updatedAt = createdAt
    }

    /// How many pages there may be.
    static let pageCounts: ClosedRange<Int64> = 1...100_000

    /// See `ResourceKind.book`.
    public static let kind = ResourceKind.book

    /// The writable fields.
    public static let fieldNames: [StaticString] = [
        "title", "authors", "isbn", "pageCount", "language", "publishedYear", "coverURL",
    ]

    /// The fields that a card shows.
    public static let fieldsOfCard: FieldSet = [
        FieldSet(index: 0), FieldSet(index: 1), FieldSet(index: 6),
    ]

    /// Writes the value of the field at an index.
    public func write(field index: Int, to json: inout JSONWriter) {
        switch index {
        case 0: json.string(title)
        case 1: json.strings(authors)
        case 2: json.optional(isbn)
        case 3: json.optional(pageCount)
        case 4: json.optional(language)
        case 5: json.optional(publishedYear)
        default: json.optional(coverURL)
        }
    }
}

extension JSONWriter {
    /// Writes an array of strings.
    public mutating func strings(_ values: [String]) {
        beginArray()
        for value in values { string(value) }
        endArray()
    }

    /// Writes a string, or null.
    public mutating func optional(_ value: String?) {
        if let value { string(value) } else { null() }
    }

    /// Writes a number, or null.
    public mutating func optional(_ value: Int32?) {
        if let value { integer(Int64(value)) } else { null() }
    }

    /// Writes an id, or null.
    public mutating func optional(_ value: ResourceID?) {
        if let value { id(value) } else { null() }
    }
}
