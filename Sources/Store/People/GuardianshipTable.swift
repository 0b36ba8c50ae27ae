import JSON
import Model

/// The table of the guardians of managed accounts. A change of guardian is logged only as a change of the managed
/// reader.
enum GuardianshipTable {
    /// Returns the change that sets or removes the guardian of a managed account.
    fileprivate static func setting(_ guardian: Int64?, of managed: Int64) -> UnloggedWrite {
        guardian.map {
            UnloggedWrite("INSERT OR REPLACE INTO guardianships (reader, guardian) VALUES (?1, ?2)", managed, $0)
        } ?? UnloggedWrite("DELETE FROM guardianships WHERE reader = ?1", managed)
    }

    /// Returns a Boolean value indicating whether a reader is the guardian of any account.
    fileprivate static func has(guardian: Int64, in connection: SQLiteConnection) throws(SQLiteError) -> Bool {
        try connection.statement("SELECT 1 FROM guardianships WHERE guardian = ?1 LIMIT 1").bind(guardian).hasRow()
    }
}

extension WriteState {
    /// Sets or removes a reader's guardian. Only an account that was created with a guardian can have one, and its role
    /// is always reader. Throws `refusal`, if there is one, for another guardian.
    func guardianship(
        _ named: DecodedMember<ResourceID>, of managed: inout Reader, _ refusal: RequestError? = nil
    ) throws(RequestError) -> [any CommandChange] {
        var changes: [any CommandChange] = []
        switch named {
        case .absent, .invalid: break
        case .null:
            if managed.guardian != nil { changes.append(GuardianshipTable.setting(nil, of: managed.key)) }
            managed.guardian = nil
        case .value(let id) where id == managed.guardian: break
        case .value(let id):
            if let refusal { throw refusal }
            // A reader who is being created has no key yet.
            guard managed.key == 0 || managed.guardian != nil else {
                throw .violation("/guardian", "can be set only when the reader is created")
            }
            guard let guardian = try query(ReaderTable.find(id, in: db)), guardian.guardian == nil, id != managed.id
            else { throw .violation("/guardian", "must be a reader of this server who has no guardian") }
            managed.guardian = id
            let key = managed.key == 0 ? try query(ReaderTable.rows.nextKey(in: db)) : managed.key
            changes.append(GuardianshipTable.setting(guardian.key, of: key))
        }
        if managed.guardian != nil, managed.role != .reader {
            throw .violation("/role", "must be reader while there is a guardian")
        }
        return changes
    }

    /// Throws if the reader is the guardian of any account.
    func demandNoManagedAccounts(of reader: Reader) throws(RequestError) {
        guard try query(GuardianshipTable.has(guardian: reader.key, in: db)) else { return }
        throw .refused(
            .hasManagedAccounts,
            "This reader is the guardian of others. An administrator must give them another guardian first.")
    }
}
