public import JSON

/// A form of a book's story, such as a paperback or a recording. A reader's pages or hours refer to it.
public struct Edition: Resource {
    /// The format. The raw values are stored and sent.
    public enum Format: String, StorableValue, CaseIterable {
        case paper
        case ebook
        case audio
    }

    public static let kind = ResourceKind.edition
    public static let fields = ResourceFields<Edition>([
        .link("book", { $0.book }, { $0.book = $1 }, key: { $0.bookKey }, { $0.bookKey = $1 }),
        ResourceField("format", .requiredChoice, { $0.format }, { $0.format = $1 }),
        ResourceField("unit", .choice, { $0.unit }, { $0.unit = $1 }),
        ResourceField("length", .positiveAmount, { $0.length }, { $0.length = $1 }),
        ResourceField("storyStart", .amount, { $0.storyStart }, { $0.storyStart = $1 }),
        ResourceField("storyEnd", .positiveAmount, { $0.storyEnd }, { $0.storyEnd = $1 }),
        ResourceField("name", .text(1...200), { $0.name }, { $0.name = $1 }),
        ResourceField("isbn", .isbn, { $0.isbn }, { $0.isbn = $1 }),
        ResourceField("language", .language, { $0.language }, { $0.language = $1 }),
        ResourceField("narrator", .text(1...200), { $0.narrator }, { $0.narrator = $1 }),
        ResourceField("revision", { $0.revision }, { $0.revision = $1 }),
        .unsent("added_by", .fixed, { $0.adderKey }, { $0.adderKey = $1 }),
        .sparse("anchors", { $0.anchors }, { $0.anchors = $1 }),
    ])

    /// The fields that define the edition's scale.
    public static let fieldsOfMeasure = fields["unit", "length", "storyStart", "storyEnd"]
    public static let fieldsOfAnchors = fields["anchors"]

    public var identity: CommonResourceFields
    public private(set) var book = ResourceID.zero
    public private(set) var bookKey: Int64 = 0
    /// The row key of the reader who added the edition, or `nil` for a librarian or an administrator.
    public var adderKey: Int64?
    public internal(set) var format = Format.paper
    public internal(set) var unit = EditionUnit.page
    /// The whole length, including the parts before and after the story.
    public internal(set) var length = EditionAmount.none
    /// The amount at which the story begins. `storyEnd` is the amount at which it ends.
    public internal(set) var storyStart = EditionAmount.none
    public internal(set) var storyEnd = EditionAmount.none
    /// The name, such as "Penguin 1999"; 1 to 200 characters.
    public internal(set) var name: String?
    /// The revision of the scale, which is part of the scale's name. A change of unit, length, start or end increases
    /// it.
    public var revision: Int64 = 1
    /// The ISBN, as thirteen digits.
    public internal(set) var isbn: String?
    /// The language, a BCP 47 tag.
    public internal(set) var language: String?
    /// The narrator of a recording, 1 to 200 characters.
    public internal(set) var narrator: String?
    /// The amount at which each chapter of the book begins, in the edition's unit, strictly rising. `nil` if they are
    /// not known.
    public var anchors: [EditionAmount]?

    public init(_ identity: CommonResourceFields) { self.identity = identity }

    public init(id: ResourceID, book: RowReference, adderKey: Int64?, createdAt: Instant) {
        self.init(CommonResourceFields(id, madeAt: createdAt))
        (self.book, bookKey) = book
        self.adderKey = adderKey
    }

    /// The number of pages, if the edition is counted in pages.
    public var pageCount: Int32? { unit == .page ? Int32(clamping: length.thousandths / 1000) : nil }
}

/// The unit in which the edition is counted. The raw values are stored and sent.
public enum EditionUnit: String, StorableValue, CaseIterable {
    case page
    case second
    case location
    case percent

    /// The maximum length in this unit.
    var max: Int64 {
        switch self {
        case .page: 100_000
        case .second: 3_600_000
        case .location: 10_000_000
        case .percent: 100
        }
    }
}

/// The body of a request that creates an edition of a book.
public struct EditionDraft: RequestBody {
    public let book: ResourceID
    public let edition: EditionPatch

    public init(_ decoder: inout ObjectDecoder, _ form: RequestBodyForm) {
        book = decoder.requiredID("book")
        edition = EditionPatch(&decoder, .whole)
    }
}

/// The fields of a request that creates or changes an edition.
public struct EditionPatch: RequestBody {
    private let fields: MergePatch<Edition>
    private let hasUnit: Bool
    private let anchors: DecodedMember<[EditionAmount]>

    public init(_ decoder: inout ObjectDecoder, _ form: RequestBodyForm) {
        fields = MergePatch(&decoder, form)
        hasUnit = form == .patch || decoder.has("unit")
        anchors = form == .patch ? decoder.amounts("anchors", countMax: Chapters.countMax) : .absent
    }

    /// Returns the edition with the changes applied. By default, the unit follows from the format, percents have a
    /// length of 100, and the whole length is the story.
    public func applied(to old: Edition) throws(RequestError) -> Edition {
        var new = fields.applied(to: old)
        anchors.apply(to: &new.anchors)
        if !hasUnit {
            new.unit =
                switch new.format {
                case .paper: .page
                case .ebook: .percent
                case .audio: .second
                }
        }
        if new.length == .none { new.length = new.unit == .percent ? EditionAmount(100) : new.storyEnd }
        if new.storyEnd == .none { new.storyEnd = new.length }
        let violations = new.violations
        guard violations.isEmpty else { throw .invalid(violations) }
        return new
    }
}

extension Edition {
    /// The violations of rules that concern several fields.
    public var violations: [Violation] {
        var found: [Violation] = []
        func refuse(_ member: String, _ detail: String) {
            found.append(Violation(pointer: "/\(member)", detail: detail))
        }
        if length == .none { refuse("length", "is required: the number of \(unit.rawValue)s, more than 0") }
        if length > EditionAmount(unit.max) { refuse("length", "must be at most \(unit.max) \(unit.rawValue)s") }
        if unit == .percent, length != EditionAmount(100), length != .none {
            refuse("length", "must be 100 when the unit is percent")
        }
        if unit == .page || unit == .location {
            for (member, amount) in [("length", length), ("storyStart", storyStart), ("storyEnd", storyEnd)]
            // A story's end that the body leaves out equals the length.
            where !amount.isWhole && (member != "storyEnd" || amount != length) {
                refuse(member, "must be a whole number of \(unit.rawValue)s")
            }
        }
        if storyEnd > length { refuse("storyEnd", "must be at most the length") }
        if storyStart >= storyEnd, length != .none || storyEnd != .none {
            refuse("storyStart", "must be less than storyEnd")
        }
        return found
    }
}
