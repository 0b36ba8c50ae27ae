public import JSON

/// Readers who read together.
public struct Club: Resource {
    /// Who may know of it. The raw values are stored and sent.
    public enum Visibility: String, Sendable, CaseIterable {
        /// Its members, and who has an invitation.
        case `private`
        /// Everyone: it can be found, and asked to let one in.
        case listed
    }

    /// The row's key, which is also the scope of all that is the club's; 0 before it is stored, and never sent.
    public var key: Int64 = 0
    /// The public id.
    public let id: ResourceID
    /// The `seq` of its last change.
    public var version: Int64 = 0
    /// 1 to 100 characters; need not be unique.
    public var name: String
    /// Up to 2,000 characters.
    public var description: String?
    /// Who may know of it.
    public var visibility = Visibility.private
    /// Whether moderators and owners see notes that they have not read up to.
    public var moderatorsSeeAhead = false
    /// Whether a list of notes says how many wait ahead of the one who asks.
    public var countsAhead = false
    /// Whether nothing is written in it any more.
    public var isArchived = false
    /// When it was founded.
    public var createdAt: Instant?
    /// When it last changed.
    public var updatedAt: Instant?

    /// A club that has just been founded.
    public init(id: ResourceID, name: String, createdAt: Instant) {
        self.id = id
        self.name = name
        self.createdAt = createdAt
        updatedAt = createdAt
    }

    /// See `ResourceKind.club`.
    public static let kind = ResourceKind.club

    /// The writable fields.
    public static let fieldNames: [StaticString] = [
        "name", "description", "visibility", "moderatorsSeeAhead", "countsAhead", "isArchived",
    ]

    /// Writes the value of the field at an index.
    public func write(field index: Int, to json: inout JSONWriter) {
        switch index {
        case 0: json.string(name)
        case 1: json.string(description)
        case 2: json.string(visibility.rawValue)
        case 3: json.bool(moderatorsSeeAhead)
        case 4: json.bool(countsAhead)
        default: json.bool(isArchived)
        }
    }
}

/// What a request says of a club.
public struct ClubPatch: Sendable {
    private let name: Patch<String>
    private let description: Patch<String>
    private let visibility: Patch<Club.Visibility>
    private let moderatorsSeeAhead: Patch<Bool>
    private let countsAhead: Patch<Bool>
    private let isArchived: Patch<Bool>

    /// Decodes a body; throws `LecternError.invalid` with all that is wrong with it.
    public init(_ body: JSONValue, form: BodyForm) throws(LecternError) {
        var decoder = ObjectDecoder(body)
        name = decoder.required("name", decoder.string("name", length: 1...100), form)
        description = decoder.string("description", length: 1...2000, multiline: true).patch
        visibility = decoder.choice("visibility")
        moderatorsSeeAhead = decoder.required("moderatorsSeeAhead", decoder.bool("moderatorsSeeAhead"), .patch)
        countsAhead = decoder.required("countsAhead", decoder.bool("countsAhead"), .patch)
        isArchived = decoder.required("isArchived", decoder.bool("isArchived"), .patch)
        let violations = decoder.finish()
        guard violations.isEmpty else { throw .invalid(violations) }
    }

    /// Applies what was said.
    public func apply(to club: inout Club) {
        name.apply(to: &club.name)
        description.apply(to: &club.description)
        visibility.apply(to: &club.visibility)
        moderatorsSeeAhead.apply(to: &club.moderatorsSeeAhead)
        countsAhead.apply(to: &club.countsAhead)
        isArchived.apply(to: &club.isArchived)
    }
}
