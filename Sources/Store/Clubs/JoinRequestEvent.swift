import Model

/// The copy of a join request's change for the reader who made it. It follows the change itself.
struct JoinRequestEvent: CommandChange {
    let before: JoinRequest?
    let after: JoinRequest?

    func apply(to transaction: inout WriteTransaction, _ moment: ChangeMoment) throws(SQLiteError) -> CommandOutcome? {
        guard var event = after ?? before else { return nil }
        let scope = ChangeScope.reader(key: event.readerKey)
        guard after != nil else {
            return try transaction.record(event, .deleted, moment, scope: scope, value: nil, before: event.encoded())
        }
        event.version = transaction.log.nextSeq - 1
        guard let before else {
            return try transaction.record(event, .created, moment, scope: scope, value: event.encoded(), before: nil)
        }
        event.updatedAt = moment.at
        let difference = event.difference(from: before)
        return try transaction.record(
            event, .updated, moment, scope: scope, value: difference?.value ?? event.encoded(),
            before: difference?.before, changed: difference?.changed ?? [])
    }
}
