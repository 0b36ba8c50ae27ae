public import JSON

/// The chapters of a book, in any edition: their names, and the share of the story at which each begins.
public struct Chapters: Resource {
    public static let kind = ResourceKind.chapters
    public static let fields = ResourceFields<Chapters>([
        .computed("book") { $0.id },
        ResourceField("chapters", { $0.chapters }, { $0.chapters = $1 }),
        ResourceField("isEstimated", { $0.isEstimated }, { $0.isEstimated = $1 }),
        ResourceField("revision", { $0.revision }, { $0.revision = $1 }),
    ])

    /// The maximum number of chapters of a book.
    public static let countMax = 1000
    /// The maximum bytes of all labels and titles. A line of an export has all chapters, even if quotation marks double
    /// the bytes, and an import sends it in one request.
    public static let bytesMax = 384 << 10

    /// The identity, with the book's id and key.
    public var identity: CommonResourceFields
    public var chapters: [Chapter] = []
    /// A Boolean value indicating whether no beginnings are known. The chapters then have equal lengths, until an
    /// edition's anchors measure them.
    public var isEstimated = true
    /// The revision of the list and its anchors, which is part of the scale.
    public var revision: Int64 = 1

    public init(_ identity: CommonResourceFields) { self.identity = identity }

    /// Creates an empty list.
    public init(of book: Book, createdAt: Instant) {
        self.init(CommonResourceFields(book.id, madeAt: createdAt))
        key = book.key
    }

    /// The share at which each chapter begins.
    public var begins: [Progress] { chapters.map(\.share) }

    /// A Boolean value indicating whether the list is valid: its count, the lengths of its names, and rising shares.
    public var areSound: Bool {
        (1...Self.countMax).contains(chapters.count) && begins[begins.count - 1] < .whole
            && zip(begins, begins.dropFirst()).allSatisfy(<)
            && chapters.allSatisfy {
                (1...50).contains($0.label?.unicodeScalars.count ?? 1)
                    && (1...500).contains($0.title?.unicodeScalars.count ?? 1)
            }
    }

    /// Returns the chapters with their lengths in an edition, or `nil` if the counts differ or the shares do not rise
    /// strictly.
    public func measured(by edition: Edition) -> Chapters? {
        let shares = (edition.anchors ?? []).map { edition.share(at: $0.millionths) }
        guard shares.count == chapters.count, zip(shares, shares.dropFirst()).allSatisfy(<) else { return nil }
        var new = self
        new.chapters = zip(chapters, shares).map { Chapter(label: $0.label, title: $0.title, share: $1) }
        new.isEstimated = false
        return new
    }
}

/// A chapter.
public struct Chapter: Sendable, Equatable {
    /// The label, 1 to 50 characters.
    public let label: String?
    /// The title, 1 to 500 characters.
    public let title: String?
    /// The share of the story at which the chapter begins.
    public let share: Progress

    public init(label: String?, title: String?, share: Progress) {
        (self.label, self.title, self.share) = (label, title, share)
    }
}

extension Chapter: StoredAsJSON {
    public init?(json: JSONValue) {
        guard let share = json["share"].flatMap({ Progress(json: $0) }) else { return nil }
        self.init(label: json["label"]?.string, title: json["title"]?.string, share: share)
    }

    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("label", ifAny: label)
            json.member("title", ifAny: title)
            json.member("share", share)
        }
    }
}
