import Model

/// The copy of a join request's change for the reader who made it. It follows the change itself.
struct JoinRequestEvent: ProposedChange {
    let before: JoinRequest?
    let after: JoinRequest?

    func apply(to transaction: inout WriteTransaction, _ moment: ChangeMoment) throws(SQLiteError) -> CommandOutcome? {
        guard var told = after ?? before else { return nil }
        let scope = ChangeScope.reader(key: told.readerKey)
        guard after != nil else {
            return try transaction.note(told, .deleted, moment, scope: scope, value: nil, before: told.encoded())
        }
        told.version = transaction.log.nextSeq - 1
        guard let before else {
            return try transaction.note(told, .created, moment, scope: scope, value: told.encoded(), before: nil)
        }
        told.updatedAt = moment.at
        let difference = told.difference(from: before)
        return try transaction.note(
            told, .updated, moment, scope: scope, value: difference?.value ?? told.encoded(),
            before: difference?.before, changed: difference?.changed ?? [])
    }
}
