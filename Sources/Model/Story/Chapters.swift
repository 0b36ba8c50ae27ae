import JSON

/// The chapters of a book, whatever the edition: what they are called, and where in the story each begins.
public struct Chapters: Resource {
    public static let kind = ResourceKind.chapters
    public static let fields = Fields<Chapters>([
        .computed("book") { $0.id },
        Field("chapters", { ChapterList($0.chapters) }, { $0.chapters = $1.all }),
        Field("isEstimated", { $0.isEstimated }, { $0.isEstimated = $1 }),
        Field("revision", { $0.revision }, { $0.revision = $1 }),
    ])

    /// Of one book.
    public static let countMax = 1000

    /// The id is the book's, and so is the key.
    public var identity: Identity
    public var chapters: [Chapter] = []
    /// Whether nobody said where they begin: then they are as long as each other, until an edition's anchors measure them.
    public var isEstimated = true
    /// The number of the list and its anchors, which names their scale.
    public var revision: Int64 = 1

    public init(_ identity: Identity) { self.identity = identity }

    /// None yet.
    public init(of book: Book, createdAt: Instant) {
        self.init(Identity(book.id, madeAt: createdAt))
        key = book.key
    }

    /// Where each begins.
    public var begins: [Progress] { chapters.map(\.share) }

    /// Whether they can be chapters: not too many, nor called too much, and rising.
    public var areSound: Bool {
        (1...Self.countMax).contains(chapters.count) && begins[begins.count - 1] < .whole
            && zip(begins, begins.dropFirst()).allSatisfy(<)
            && chapters.allSatisfy {
                (1...50).contains($0.label?.unicodeScalars.count ?? 1)
                    && (1...500).contains($0.title?.unicodeScalars.count ?? 1)
            }
    }

    /// The same as long as they are in an edition; nil where some are too short to be told apart.
    public func measured(by edition: Edition) -> Chapters? {
        let shares = (edition.anchors ?? []).map { edition.share(at: $0.millionths) }
        guard shares.count == chapters.count, zip(shares, shares.dropFirst()).allSatisfy(<) else { return nil }
        var new = self
        new.chapters = zip(chapters, shares).map { Chapter(label: $0.label, title: $0.title, share: $1) }
        new.isEstimated = false
        return new
    }
}

/// One of them.
public struct Chapter: Sendable, Equatable {
    /// 1 to 50 characters.
    public let label: String?
    /// 1 to 500 characters.
    public let title: String?
    /// Where in the story it begins.
    public let share: Progress

    public init(label: String?, title: String?, share: Progress) {
        (self.label, self.title, self.share) = (label, title, share)
    }
}

/// Chapters in order: kept and said as a JSON array.
struct ChapterList: StoredAsJSON {
    var all: [Chapter] = []

    init(_ all: [Chapter]) { self.all = all }

    init?(json: JSONValue) {
        guard json.kind == .array else { return nil }
        for element in json.elements {
            guard let share = element["share"].flatMap({ Progress(json: $0) }) else { return nil }
            all.append(Chapter(label: element["label"]?.string, title: element["title"]?.string, share: share))
        }
    }

    func write(to json: inout JSONWriter) {
        json.beginArray()
        for chapter in all {
            json.beginObject()
            if let label = chapter.label {
                json.name("label")
                json.string(label)
            }
            if let title = chapter.title {
                json.name("title")
                json.string(title)
            }
            json.name("share")
            json.progress(chapter.share)
            json.endObject()
        }
        json.endArray()
    }
}
