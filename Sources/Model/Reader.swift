public import JSON

/// A person who reads.
public struct Reader: Resource {
    /// What a reader may do in the house. The raw values are sent.
    public enum Role: String, Storable, CaseIterable {
        case reader
        /// May change and delete books that others rely on.
        case librarian
        case administrator
    }

    public static let kind = ResourceKind.reader
    public static let fields = Fields<Reader>([
        Field("name", .text(1...100), { $0.name }, { $0.name = $1 }),
        .joined(
            "role", from: "CASE is_librarian WHEN 1 THEN 'librarian' ELSE role END", { $0.role }, { $0.role = $1 }),
        // Librarians are readers with a mark of their own.
        .kept("role", .changing, isRead: false, { $0.role == .librarian ? .reader : $0.role }, { (_, _: Role) in }),
        .kept("is_librarian", .changing, isRead: false, { $0.role == .librarian }, { _, _ in }),
    ])

    public var identity: Identity
    /// 1 to 100 characters.
    public var name = ""
    public var role = Role.reader

    public init(_ identity: Identity) { self.identity = identity }

    public init(id: ResourceID, name: String, role: Role, createdAt: Instant) {
        self.init(Identity(id, madeAt: createdAt))
        self.name = name
        self.role = role
    }
}

/// What a request says of a reader.
public struct ReaderPatch: Sendable {
    public let fields: MergePatch<Reader>
    /// Only administrators say it.
    public let role: Patch<Reader.Role>

    /// Decodes a body; throws `LecternError.invalid` with all that is wrong with it.
    public init(_ body: JSONValue, form: BodyForm, roleMayChange: Bool) throws(LecternError) {
        var decoder = ObjectDecoder(body)
        fields = MergePatch(&decoder, form)
        role = roleMayChange ? decoder.choice("role") : .keep
        try decoder.demandValid()
    }
}
