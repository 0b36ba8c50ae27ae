package import Model

/// Has a reaction to a note, or has it no longer.
package struct React: Command {
    let note: ResourceID
    let reaction: Reaction
    let isThere: Bool
    let viewer: Viewer

    /// The viewer's reaction.
    package init(_ reaction: Reaction, to note: ResourceID, isThere: Bool, viewer: Viewer) {
        self.note = note
        self.reaction = reaction
        self.isThere = isThere
        self.viewer = viewer
    }

    /// Who sees the note may; in a club see `ClubAction.takePart`.
    package func decide(_ state: borrowing WriteState) throws(LecternError) -> Decision {
        let reaction = reaction
        let reader = viewer.readerKey
        let old = try state.note(note, viewer)
        try state.demandMembership(for: old, viewer, .takePart)
        let isKnown = try state.query { db throws(SQLiteError) in
            try ReactionTable.exists(reaction, note: old.key, reader: reader, in: db)
        }
        guard isThere != isKnown else { return Decision([Write<NoteTable>(before: old, after: old)]) }
        var new = old
        new.reactions[reaction] += isThere ? 1 : -1
        return Decision([
            Write<NoteTable>(before: old, after: new),
            SetReaction(reaction: reaction, isThere: isThere, note: old.key, reader: reader),
        ])
    }
}
