import Model

/// The event for a reader who joined or left a club.
struct MembershipEvent: CommandChange {
    let operation: ChangeOperation
    let club: ResourceID
    let reader: Int64

    func apply(to transaction: inout WriteTransaction) throws(SQLiteError) -> CommandOutcome? {
        var membership = OwnMembership(club: club)
        membership.version = transaction.nextSeq
        let value = membership.encoded()
        return try transaction.record(
            membership, operation, scope: .reader(key: reader), value: operation == .deleted ? nil : value,
            before: operation == .deleted ? value : nil)
    }
}
