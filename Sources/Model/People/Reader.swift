public import JSON

/// A person with an account.
public struct Reader: Resource {
    public static let kind = ResourceKind.reader
    public static let fields = ResourceFields<Reader>([
        ResourceField("name", .text(1...100), { $0.name }, { $0.name = $1 }),
        .joined(
            "role", from: "CASE is_librarian WHEN 1 THEN 'librarian' ELSE role END", { $0.role }, { $0.role = $1 }),
        // The table stores a librarian as a reader with a flag.
        .unsent(
            "role", .changing, isRead: false, { $0.role == .librarian ? .reader : $0.role }, { (_, _: ReaderRole) in }),
        .unsent("is_librarian", .changing, isRead: false, { $0.role == .librarian }, { _, _ in }),
        .sparse(
            "guardian", columns: [DatabaseColumn(guardianSQL, .joined, { $0.guardian }, { $0.guardian = $1 })],
            { $0.guardian }, { $0.guardian = $1 }),
        .sparse(computed: "isManaged") { $0.guardian == nil ? nil : true },
        .sparse("suspension", { $0.suspension }, { $0.suspension = $1 }),
    ])

    private static let guardianSQL = """
        (SELECT guards.id FROM guardianships JOIN readers AS guards ON guards.key = guardianships.guardian \
        WHERE guardianships.reader = readers.key)
        """

    public var identity: CommonResourceFields
    /// The name, 1 to 100 characters.
    public var name = ""
    public var role = ReaderRole.reader
    /// The reader who may export the account without its private parts, and delete it; `nil` for nobody.
    public var guardian: ResourceID?
    /// The suspension, or `nil` if there is none.
    public var suspension: ReaderSuspension?

    /// The fields of the suspension.
    public static let fieldsOfSuspension = fields["suspension"]

    public init(_ identity: CommonResourceFields) { self.identity = identity }

    public init(id: ResourceID, name: String, role: ReaderRole, createdAt: Instant) {
        self.init(CommonResourceFields(id, madeAt: createdAt))
        self.name = name
        self.role = role
    }
}

/// The role of a reader on the server. The raw values are sent.
public enum ReaderRole: String, StorableValue, CaseIterable {
    case reader
    /// May change and delete books that others use.
    case librarian
    case administrator
}

/// The body of a request that creates or changes a reader.
public struct ReaderPatch: Sendable {
    public let fields: MergePatch<Reader>
    /// The new role. Only administrators can set it.
    public let role: ReaderRole?
    /// The new guardian. Only administrators can set it.
    public let guardian: DecodedMember<ResourceID>
    /// The new suspension. Only administrators can set it, of existing readers.
    public let suspension: DecodedMember<ReaderSuspensionPatch>

    /// Decodes a body. Throws `RequestError.invalid` with all violations.
    public init(_ body: JSONValue, form: RequestBodyForm, roleMayChange: Bool) throws(RequestError) {
        var decoder = ObjectDecoder(body)
        fields = MergePatch(&decoder, form)
        role = roleMayChange ? decoder.choice("role") : nil
        guardian = roleMayChange ? decoder.resourceID("guardian") : .absent
        suspension = roleMayChange && form == .patch ? ReaderSuspensionPatch.decoded(&decoder) : .absent
        try decoder.demandValid()
    }
}
