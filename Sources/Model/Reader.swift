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
        .sparse(
            "guardian", columns: [Column(guardianSQL, .joined, { $0.guardian }, { $0.guardian = $1 })],
            { $0.guardian }, { $0.guardian = $1 }),
        .sparse(computed: "isManaged") { $0.guardian == nil ? nil : true },
        .sparse("suspension", { $0.suspension }, { $0.suspension = $1 }),
    ])

    private static let guardianSQL = """
        (SELECT guards.id FROM guardianships JOIN readers AS guards ON guards.key = guardianships.guardian \
        WHERE guardianships.reader = readers.key)
        """

    public var identity: Identity
    /// 1 to 100 characters.
    public var name = ""
    public var role = Role.reader
    /// Who may take the reader's account along, but for what is private, and end it; nil for nobody.
    public var guardian: ResourceID?
    /// Nil unless the reader is suspended.
    public var suspension: Suspension?

    /// The fields that say whether the reader is suspended.
    public static let fieldsOfSuspension = fields["suspension"]

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
    /// The same.
    public let guardian: Patch<ResourceID>
    /// The same, of readers that exist.
    public let suspension: Patch<SuspensionPatch>

    /// Decodes a body; throws `LecternError.invalid` with all that is wrong with it.
    public init(_ body: JSONValue, form: BodyForm, roleMayChange: Bool) throws(LecternError) {
        var decoder = ObjectDecoder(body)
        fields = MergePatch(&decoder, form)
        role = roleMayChange ? decoder.choice("role") : .keep
        guardian = roleMayChange ? decoder.resourceID("guardian").patch : .keep
        suspension = roleMayChange && form == .patch ? SuspensionPatch.decoded(&decoder) : .keep
        try decoder.demandValid()
    }
}
