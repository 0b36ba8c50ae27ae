import JSON

/// The effects of changes on streams. The event engine asks for them, and knows no kind of resource itself.
extension Change {
    /// A Boolean value indicating whether the change ends all streams of some viewer: it revokes a token.
    public var endsStreams: Bool { kind == .token && operation == .deleted }

    /// Returns whether the change ends all streams of a viewer.
    public func endsStreams(of viewer: Viewer) -> Bool { endsStreams && viewer.token == id }

    /// Returns whether the change suspends a viewer's reader, or lifts the suspension.
    public func changesSuspension(of viewer: Viewer) -> Bool {
        kind == .reader && !changed.isDisjoint(with: Reader.fieldsOfSuspension) && viewer.readerKey == scope.number
    }

    /// The change of a club's membership, or `nil` for other changes. The end of a club ends every membership.
    public var membership: MembershipChange? {
        guard let club = scope.club else { return nil }
        switch (kind, operation) {
        case (.member, _):
            let member = (value ?? before).flatMap { ResourceRepresentation($0) }
            let role = member?["role"]?.string.flatMap { ClubMemberRole(rawValue: $0) } ?? .member
            return MembershipChange(
                group: club, reader: member?["reader"]?.string.flatMap { ResourceID($0) },
                moderates: role.moderates, isEnd: operation == .deleted)
        case (.club, .deleted): return MembershipChange(group: club, reader: nil, moderates: false, isEnd: true)
        default: return nil
        }
    }

    private static let clubOfNote = Note.fields["club"]

    /// A Boolean value indicating whether the change moves an existing resource to lists that did not have it: it
    /// shares a note with a club.
    public var entersScope: Bool { kind == .note && operation == .updated && changed.contains(Self.clubOfNote) }

    /// A Boolean value indicating whether the resource's own stream ends with it, because it never comes back under its
    /// id. This holds for meetings; other resources can be created again.
    public var endsOwnStream: Bool { kind == .meeting && operation == .deleted }

    /// A Boolean value indicating whether the change can make a count appear beside a list: a club's settings decide
    /// whether its list of notes has one.
    public var canBeginCount: Bool { kind == .club }
}

/// A reader who joins or leaves a club, or gets another role in it.
public struct MembershipChange: Sendable {
    /// The key of the club.
    public let group: Int64
    /// The reader, or `nil` for all members.
    public let reader: ResourceID?
    /// A Boolean value indicating whether the reader moderates the club after the change.
    public let moderates: Bool
    /// A Boolean value indicating whether the membership ends.
    public let isEnd: Bool
}
