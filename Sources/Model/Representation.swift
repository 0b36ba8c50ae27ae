public import JSON

/// A resource as its JSON says it, or as it was before a change said otherwise.
public struct Representation: Sendable {
    /// The newer object.
    private let value: JSONValue
    /// The members that the change replaced; they win.
    private let before: JSONValue?

    /// The representation that some bytes encode, with the replaced members of a change laid over it; nil when either
    /// is not an object.
    public init?(_ value: [UInt8], before: [UInt8]? = nil) {
        guard let object = Self.object(value) else { return nil }
        self.value = object
        guard let before else {
            self.before = nil
            return
        }
        guard let replaced = Self.object(before) else { return nil }
        self.before = replaced
    }

    /// The member of that name; nil when there is none.
    public subscript(_ name: String) -> JSONValue? { before?[name] ?? value[name] }

    /// The older representation that a newer one and the `before` of the change between them give; nil when either is
    /// not an object.
    ///
    /// The members keep the newer one's order, and their bytes stay as they were written.
    public static func overlay(value: [UInt8], before: [UInt8]) -> [UInt8]? {
        guard let newer = object(value), let replaced = object(before) else { return nil }
        var json = JSONWriter(capacity: value.count + before.count)
        json.beginObject()
        for member in newer.members {
            json.name(member.name)
            json.raw((replaced[member.name] ?? member.value).encoded)
        }
        for member in replaced.members where newer[member.name] == nil {
            json.name(member.name)
            json.raw(member.value.encoded)
        }
        json.endObject()
        return json.bytes
    }

    private static func object(_ bytes: [UInt8]) -> JSONValue? {
        guard let root = try? JSONDocument(bytes).root, root.kind == .object else { return nil }
        return root
    }
}

extension Representation {
    func id(_ name: String) -> ResourceID? { self[name]?.string.flatMap { ResourceID($0) } }

    func instant(_ name: String) -> Instant? { self[name]?.string.flatMap { Instant($0) } }

    func integer(_ name: String) -> Int32? { self[name]?.integer.flatMap { Int32(exactly: $0) } }
}

extension Book {
    /// The book that a representation speaks of, without its row's key; nil when the representation is no book's.
    public init?(_ representation: Representation) {
        guard let id = representation.id("id"), let version = representation["version"]?.integer,
            let title = representation["title"]?.string, let createdAt = representation.instant("createdAt")
        else { return nil }
        self.init(id: id, title: title, createdAt: createdAt)
        self.version = version
        authors = representation["authors"]?.elements.compactMap(\.string) ?? []
        isbn = representation["isbn"]?.string
        pageCount = representation.integer("pageCount")
        language = representation["language"]?.string
        publishedYear = representation.integer("publishedYear")
        coverURL = representation["coverURL"]?.string
        updatedAt = representation.instant("updatedAt")
    }
}

extension Reading {
    /// The reading that a representation speaks of, without the keys of rows; nil when the representation is no
    /// reading's.
    public init?(_ representation: Representation) {
        guard let id = representation.id("id"), let version = representation["version"]?.integer,
            let reader = representation.id("reader"), let book = representation.id("book"),
            let number = representation.integer("number"), let createdAt = representation.instant("createdAt"),
            let state = representation["state"]?.string.flatMap(State.init(rawValue:)),
            let progress = representation["progress"]?.double.flatMap({ Progress($0) })
        else { return nil }
        self.init(id: id, reader: (reader, 0), book: (book, 0), number: number, createdAt: createdAt)
        self.version = version
        self.state = state
        self.progress = progress
        page = representation.integer("page")
        pageCount = representation.integer("pageCount")
        latestEntry = representation.id("latestEntry")
        latestEntryAt = representation.instant("latestEntryAt")
        finishedAt = representation.instant("finishedAt")
        updatedAt = representation.instant("updatedAt")
    }
}
