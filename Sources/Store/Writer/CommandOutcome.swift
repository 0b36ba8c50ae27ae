package import Model

/// The result of a command.
package struct CommandOutcome: Sendable {
    /// The resource, or `nil` if the command concerns none, as a batch does.
    package let resource: (kind: ResourceKind, id: ResourceID)?
    /// The resource's version after the command; for a deletion, the version of the deletion.
    package let version: Int64
    /// The resource's representation, or `nil` after a deletion.
    package let value: [UInt8]?
    /// The operation on the resource, or `nil` if nothing changed.
    package let effect: ChangeOperation?
    /// The number in the resource's ETag.
    package var validator: Int64 { ownValidator ?? resource?.id.validator(version: version) ?? version }
    /// The number in the ETag of a resource whose ETag is not made of its id and version alone.
    private let ownValidator: Int64?
    /// A Boolean value indicating whether this is the stored outcome of an earlier request with the same
    /// `Idempotency-Key`.
    package let isReplay: Bool

    init(
        _ resource: (kind: ResourceKind, id: ResourceID)? = nil, version: Int64 = 0, value: [UInt8]? = nil,
        effect: ChangeOperation?, ownValidator: Int64? = nil, isReplay: Bool = false
    ) {
        (self.resource, self.version, self.value, self.effect) = (resource, version, value, effect)
        (self.ownValidator, self.isReplay) = (ownValidator, isReplay)
    }

    /// Returns the outcome of a change to a reader's ways to sign in, which no representation shows.
    static func account(of reader: ResourceID, _ effect: ChangeOperation) -> CommandOutcome {
        CommandOutcome((.reader, reader), effect: effect)
    }
}
