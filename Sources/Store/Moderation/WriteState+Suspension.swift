import JSON
package import Model

extension WriteState {
    /// Returns the changes that end a suspended reader's sessions and links. Throws for the last administrator.
    func suspending(_ reader: Reader) throws(RequestError) -> [any CommandChange] {
        try demandAnotherAdministrator(than: reader)
        return try endOfSessions(of: reader.key)
            + ending(OneTimeLinkTable.self, OneTimeLinkTable.all(of: "maker", reader.key, in: db))
    }

    /// Throws if the reader is suspended.
    func demandAdmission(of reader: Int64) throws(RequestError) {
        if try query(ReaderTable.find(key: reader, in: db))?.suspension != nil { throw .readerSuspended }
    }
}

extension ExportRecordCodec {
    /// The codec for suspensions as development versions exported them. Now a reader's record contains them.
    static let developmentSuspensions = ExportRecordCodec(
        kind: "suspension",
        read: { line, state throws(RequestError) in
            guard let id = line["id"]?.string.flatMap({ ResourceID($0) }),
                let old = try state.query(ReaderTable.find(id, in: state.db))
            else { throw .unknown("id") }
            guard let since = line["createdAt"].flatMap({ Instant(json: $0) }), old.suspension == nil else {
                return CommandDecision([RowWrite<ReaderTable>(before: old, after: old)])
            }
            let write = ReaderTable.update(of: old) {
                $0.suspension = ReaderSuspension(since: since, reason: line["reason"]?.string)
            }
            return CommandDecision([write] + (try state.suspending(old)))
        })
}

extension RequestError {
    package static let readerSuspended = RequestError.refused(
        .readerSuspended, "An administrator has suspended this account. Ask an administrator about it.")
}
