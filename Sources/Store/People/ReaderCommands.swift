import JSON
package import Model

extension Command {
    /// Creates a reader with the members of the body. Only administrators may.
    package static func createReader(_ patch: ReaderPatch) -> Command {
        Command { state, actor throws(RequestError) in
            try actor.viewer.demandAdministrator()
            var reader = Reader(id: actor.newID, name: "", role: .reader, createdAt: actor.now)
            patch.fields.apply(to: &reader)
            reader.role = patch.role ?? .reader
            try demandLasting(reader, over: nil, actor)
            let guardianship = try state.guardianship(patch.guardian, of: &reader)
            return CommandDecision([RowWrite<ReaderTable>(before: nil, after: reader)] + guardianship)
        }
    }

    /// Changes a reader. Readers change their own names; administrators also change roles, guardians and suspensions.
    /// The last administrator who is not suspended keeps the role. `guardianRefusal` is thrown for another guardian.
    package static func updateReader(
        _ id: ResourceID, _ patch: ReaderPatch, guardianRefusal: RequestError? = nil
    ) -> Command {
        Command { state, actor throws(RequestError) in
            let isAdministrator = actor.viewer.role == .administrator
            guard isAdministrator || actor.viewer.reader == id else { throw .notFound }
            let old = try state.found(ReaderTable.find(id, in: state.db))
            try actor.precondition.check(old)
            var new = old
            patch.fields.apply(to: &new)
            if isAdministrator { new.role = patch.role ?? old.role }
            try demandLasting(new, over: old, actor)
            let guardianship = try state.guardianship(
                isAdministrator ? patch.guardian : .absent, of: &new, guardianRefusal)
            if isAdministrator, !patch.suspension.isKept {
                new.suspension = patch.suspension.value?.applied(to: old.suspension, now: actor.now)
            }
            let ends = old.suspension == nil && new.suspension != nil ? try state.suspending(old) : []
            if new.role != .administrator { try state.demandAnotherAdministrator(than: old) }
            let members = try state.query(MemberTable.all(of: "reader", old.key, in: state.db))
            // Otherwise links that only administrators create would become valid again with the role.
            let links =
                old.role == new.role
                ? []
                : try state.query(OneTimeLinkTable.all(of: "maker", old.key, in: state.db)).filter { $0.clubKey == nil }
            return CommandDecision(
                [RowWrite<ReaderTable>(before: old, after: new)] + guardianship + ends
                    + OneTimeLinkTable.deletions(of: links)
                    + (try state.renaming(members, as: new.name)))
        }
    }

    /// Throws if a temporary token would create an administrator, who stays after the token expires.
    private static func demandLasting(_ new: Reader, over old: Reader?, _ actor: CommandActor) throws(RequestError) {
        guard new.role == .administrator, old?.role != .administrator, actor.viewer.expiresAt != nil else { return }
        throw .refused(.tokenEnds, "A token that expires cannot make somebody an administrator.")
    }

    /// Creates the first administrator of a new database.
    static let ensureAdministrator = Command { state, actor throws(RequestError) in
        guard try !state.query(ReaderTable.hasAdministrator(in: state.db)) else { return CommandDecision([]) }
        let reader = Reader(id: actor.newID, name: "administrator", role: .administrator, createdAt: actor.now)
        return CommandDecision([RowWrite<ReaderTable>(before: nil, after: reader)])
    }
}
