import JSON
import Model

/// The change that writes a stream's row. Streams are not in the change log.
struct StreamWrite: CommandChange {
    let before: NamedStream?
    let after: NamedStream?

    func apply(to transaction: inout WriteTransaction) throws(SQLiteError) -> CommandOutcome? {
        let connection = transaction.connection
        switch (before, after) {
        case (nil, nil): return nil
        case (nil, let new?):
            _ = try NamedStreamTable.insert(new, in: connection)
            transaction.recordChange(ofStream: new.id, to: new)
            return outcome(new, .created, transaction)
        case (let old?, nil):
            try NamedStreamTable.delete(old, in: connection)
            transaction.recordChange(ofStream: old.id, to: nil)
            return CommandOutcome((.stream, old.id), version: old.version, effect: .deleted)
        case (let old?, var new?):
            guard let difference = new.difference(from: old) else { return outcome(old, nil, transaction) }
            (new.version, new.updatedAt) = (old.version + 1, transaction.now)
            try NamedStreamTable.update(new, changed: difference.changed, in: connection)
            transaction.recordChange(ofStream: new.id, to: new)
            return outcome(new, .updated, transaction)
        }
    }

    /// Returns the outcome, whose value includes the position in the log from which it applies.
    private func outcome(_ stream: NamedStream, _ effect: ChangeOperation?, _ transaction: WriteTransaction)
        -> CommandOutcome
    {
        var value = stream.encoded()
        value.removeLast()
        value += Array(",\"seq\":\(transaction.nextSeq - 1)}".utf8)
        return CommandOutcome((.stream, stream.id), version: stream.version, value: value, effect: effect)
    }
}
