package import Model

/// An id that a client chose for a new resource, with a digest of the request.
package struct ClientChosenID: Sendable {
    let id: ResourceID
    let digest: SHA256Digest

    /// Creates a claim of an id. The digest covers the URL and the body of the request.
    package init(_ id: ResourceID, _ digest: SHA256Digest) {
        self.id = id
        self.digest = digest
    }
}

extension Command {
    /// Returns a command that creates its resource under an id that the client chose, exactly once.
    ///
    /// A repeated claim with the same digest changes nothing, even if the resource has changed since; a deleted
    /// resource is not created again.
    ///
    /// A conflict with another resource is checked last, after all other rules. Only those who may see that resource
    /// learn what it is.
    @_semantics("optimize.sil.specialize.generic.never")
    func claiming<Stored: ResourceTable>(_ claim: ClientChosenID, in _: Stored.Type) -> Command {
        Command { state, actor throws(RequestError) in
            let (kind, reader) = (Stored.Row.kind, actor.reader.key)
            let known = try state.query(ClientChosenIDTable.find(claim, of: kind, by: reader, in: state.db))
            if let there = try Stored.seen(claim.id, by: actor, state) {
                try actor.precondition.check(there)
                guard known == .same else { throw Self.differs(from: there, actor.precondition) }
                return CommandDecision([RowWrite<Stored>(before: there, after: there)])
            }
            guard known == .none || known == .others else { throw .gone }
            try actor.precondition.check(Stored.Row?.none)
            let decision = try decide(state, actor.making(claim.id))
            guard known == .none, try state.query(ClientChosenIDTable.isFree(claim.id, in: Stored.self, state.db))
            else {
                throw .idTaken
            }
            return CommandDecision(
                try decision.made(claim.id, in: Stored.self).changes
                    + [ClientChosenIDTable.insertion(claim, of: kind, by: reader)], subject: decision.subject)
        }
    }

    /// Returns the error for a claim with another body. An existing resource is changed by `PATCH`, not replaced.
    private static func differs(from there: some Resource, _ precondition: Precondition) -> RequestError {
        let why = "A resource has this id already: see current. Use another id for a new one."
        let current = CurrentResourceState(of: there)
        return .taken(precondition.ifMatch == nil ? .versionRequired : .idTaken, why, current)
    }
}

extension CommandDecision {
    /// Returns this decision, or throws if it would return an existing resource instead of the claimed one, because
    /// only one may exist.
    @_semantics("optimize.sil.specialize.generic.never")
    fileprivate func made<Stored: ResourceTable>(_ id: ResourceID, in _: Stored.Type) throws(RequestError)
        -> CommandDecision
    {
        guard let write = changes[subject] as? RowWrite<Stored>, let row = write.after, row.id != id else {
            return self
        }
        throw .taken(.idTaken, "This already exists, with the id \(row.id).", CurrentResourceState(of: row))
    }
}

extension RequestError {
    /// The error for an id that is in use. It does not describe that resource, which may belong to someone else.
    static let idTaken = RequestError.refused(.idTaken, "This id cannot be used here. Choose another one.")

    fileprivate static let gone = RequestError.refused(
        .gone, "You created something with this id. It was deleted, or you lost access to it. Use a new id.")
}
