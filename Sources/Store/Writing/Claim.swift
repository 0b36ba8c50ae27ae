package import Model

/// An id that a client gives to what it makes, with a digest of what it makes it of.
package struct Claim: Sendable {
    let id: ResourceID
    let digest: Digest

    /// The claim of an id, for what has that digest: of where it is made, and of what its body says.
    package init(_ id: ResourceID, _ digest: Digest) {
        self.id = id
        self.digest = digest
    }
}

extension Command {
    /// Makes what this command makes under an id that the client chose: once, however often and late it is asked to. Asked again
    /// with the same it changes nothing, whatever became of it since; what went does not come again. `seen` finds what is there
    /// for the asker under that id.
    ///
    /// An id that something else has is refused last, when all else would do, and what that is only those are told who see it.
    @_semantics("optimize.sil.specialize.generic.never")
    func claiming<Rows: Table>(
        _ claim: Claim, in _: Rows.Type,
        _ seen: @escaping @Sendable (borrowing WriteState, Asker) throws(LecternError) -> Rows.Row
    ) -> Command {
        Command { state, asker throws(LecternError) in
            let (kind, reader) = (Rows.Row.kind, asker.reader.key)
            let known = try state.read(ClaimTable.find(claim, of: kind, by: reader, in: state.db))
            if let there = try Self.found({ () throws(LecternError) in try seen(state, asker) }) {
                try asker.precondition.check(there)
                guard known == .same else { throw Self.differs(from: there, asker.precondition) }
                return Decision([Write<Rows>(before: there, after: there)])
            }
            guard known == .none || known == .others else { throw .gone }
            try asker.precondition.check(Rows.Row?.none)
            let decision = try decide(state, asker.making(claim.id))
            guard known == .none, try state.read(ClaimTable.isFree(claim.id, in: Rows.self, state.db)) else {
                throw .idTaken
            }
            return Decision(
                try decision.made(claim.id, in: Rows.self).proposals
                    + [ClaimTable.Entry(claim: claim, kind: kind, reader: reader)], subject: decision.subject)
        }
    }

    /// The refusal of another body. What was created is changed by `PATCH`, not replaced.
    private static func differs(from there: some Resource, _ precondition: Precondition) -> LecternError {
        let why = "Something else was created under this id: see current. What is new needs another id."
        let current = CurrentState(of: there)
        return precondition.ifMatch == nil ? .versionRequired(why, current) : .taken(.idTaken, why, current)
    }

    private static func found<Row>(_ find: () throws(LecternError) -> Row) throws(LecternError) -> Row? {
        do throws(LecternError) {
            return try find()
        } catch {
            guard error == .notFound else { throw error }
            return nil
        }
    }
}

extension Decision {
    /// Refuses what would leave something else in place: there may be only one.
    @_semantics("optimize.sil.specialize.generic.never")
    fileprivate func made<Rows: Table>(_ id: ResourceID, in _: Rows.Type) throws(LecternError) -> Decision {
        guard let write = proposals[subject] as? Write<Rows>, let row = write.after, row.id != id else { return self }
        throw .taken(.idTaken, "This is there already, under the id \(row.id).", CurrentState(of: row))
    }
}

extension LecternError {
    /// Nothing is said of what has the id: it may be somebody else's.
    static let idTaken = LecternError.refused(.idTaken, "This id cannot be given to it: choose another one.")

    fileprivate static let gone = LecternError.refused(
        .gone, "You made something under this id, and it is there for you no longer. A new one needs a new id.")
}
