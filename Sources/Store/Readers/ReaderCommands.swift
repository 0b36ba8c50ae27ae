package import Model

/// Adds a reader.
package struct CreateReader: Command {
    let id: ResourceID
    let patch: ReaderPatch
    let viewer: Viewer
    let now: Instant

    /// A reader with the members of a whole body.
    package init(id: ResourceID, patch: ReaderPatch, viewer: Viewer, now: Instant) {
        self.id = id
        self.patch = patch
        self.viewer = viewer
        self.now = now
    }

    /// Administrators may.
    package func decide(_ state: borrowing WriteState) throws(LecternError) -> Decision {
        guard viewer.role == .administrator else {
            throw .refused(.administratorsOnly, "Only an administrator may do this.")
        }
        var reader = Reader(id: id, name: "", role: .reader, createdAt: now)
        patch.name.apply(to: &reader.name)
        patch.role.apply(to: &reader.role)
        return Decision([Write<ReaderTable>(before: nil, after: reader)])
    }
}

/// Changes a reader's name, or role.
package struct PatchReader: Command {
    let id: ResourceID
    let patch: ReaderPatch
    let precondition: Precondition
    let viewer: Viewer

    /// A merge patch of a reader.
    package init(id: ResourceID, patch: ReaderPatch, precondition: Precondition, viewer: Viewer, now: Instant) {
        self.id = id
        self.patch = patch
        self.precondition = precondition
        self.viewer = viewer
    }

    /// The reader may, and administrators, who also may change roles; the last administrator stays one.
    package func decide(_ state: borrowing WriteState) throws(LecternError) -> Decision {
        let id = id
        guard viewer.role == .administrator || viewer.reader == id else { throw .notFound }
        guard let old = try state.query({ db throws(SQLiteError) in try ReaderTable.find(id, in: db) }) else {
            throw .notFound
        }
        try precondition.check(old)
        var new = old
        patch.name.apply(to: &new.name)
        if viewer.role == .administrator { patch.role.apply(to: &new.role) }
        if old.role == .administrator, new.role != .administrator,
            try state.query({ db throws(SQLiteError) in try ReaderTable.administrators(in: db) }) <= 1
        {
            throw .refused(.lastAdministrator, "This is the last administrator. Make another one first.")
        }
        // A member shows the reader's name.
        let members = try state.query { db throws(SQLiteError) in try MemberTable.all(ofReader: old.key, in: db) }
        return Decision(
            [Write<ReaderTable>(before: old, after: new)]
                + members.map { member in
                    var renamed = member
                    renamed.name = new.name
                    return Write<MemberTable>(before: member, after: renamed)
                })
    }
}

/// Makes the first administrator of a new database.
struct EnsureAdministrator: Command {
    let now: Instant

    func decide(_ state: borrowing WriteState) throws(LecternError) -> Decision {
        if try state.query({ db throws(SQLiteError) in try ReaderTable.administrators(in: db) }) > 0 {
            return Decision([])
        }
        let reader = Reader(id: ResourceID(madeAt: now), name: "administrator", role: .administrator, createdAt: now)
        return Decision([Write<ReaderTable>(before: nil, after: reader)])
    }
}
