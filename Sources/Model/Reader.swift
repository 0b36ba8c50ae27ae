public import JSON

/// A person who reads.
public struct Reader: Resource {
    /// What a reader may do beyond their own things. The raw values are stored and sent.
    public enum Role: String, Sendable, CaseIterable {
        case reader
        /// Changes and deletes the books of the catalogue that others use.
        case librarian
        /// Does that too, and creates readers and tokens for them; sees nobody's readings but their own.
        case administrator
    }

    /// The row's key, which is also the scope of all that is private to the reader; 0 before it is stored.
    public var key: Int64 = 0
    /// The public id.
    public let id: ResourceID
    /// The `seq` of its last change.
    public var version: Int64 = 0
    /// 1 to 100 characters; need not be unique.
    public var name: String
    /// What they may do.
    public var role: Role
    /// When they joined.
    public var createdAt: Instant?
    /// When they last changed.
    public var updatedAt: Instant?

    /// A reader who has just joined.
    public init(id: ResourceID, name: String, role: Role, createdAt: Instant) {
        self.id = id
        self.name = name
        self.role = role
        self.createdAt = createdAt
        updatedAt = createdAt
    }

    /// See `ResourceKind.reader`.
    public static let kind = ResourceKind.reader

    /// The writable fields.
    public static let fieldNames: [StaticString] = ["name", "role"]

    /// Writes the value of the field at an index.
    public func write(field index: Int, to json: inout JSONWriter) {
        json.string(index == 0 ? name : role.rawValue)
    }
}

/// What a request says of a reader.
public struct ReaderPatch: Sendable {
    /// See `Reader.name`.
    public var name: Patch<String>
    /// See `Reader.role`.
    public var role: Patch<Reader.Role>

    /// Decodes a body; throws `LecternError.invalid` with all that is wrong with it.
    public init(_ body: JSONValue, form: BodyForm, roleMayChange: Bool) throws(LecternError) {
        var decoder = ObjectDecoder(body)
        name = decoder.required("name", decoder.string("name", length: 1...100), form)
        role = roleMayChange ? decoder.choice("role") : .keep
        let violations = decoder.finish()
        guard violations.isEmpty else { throw .invalid(violations) }
    }
}
