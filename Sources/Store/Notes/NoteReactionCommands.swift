package import Model

extension Command {
    /// Adds or removes a reaction to a note. Anyone who sees the note may; in a club see `ClubAction.takePart`.
    package static func setReaction(_ reaction: NoteReaction, to note: ResourceID, isThere: Bool) -> Command {
        Command { state, actor throws(RequestError) in
            let reader = actor.reader.key
            let old = try state.note(note, actor)
            try state.demandMembership(for: old, actor, .takePart)
            let isKnown = try state.query(
                NoteReactionTable.exists(reaction, note: old.key, reader: reader, in: state.db))
            guard isThere != isKnown else { return CommandDecision([RowWrite<NoteTable>(before: old, after: old)]) }
            var new = old
            new.reactions[reaction] += isThere ? 1 : -1
            return CommandDecision([
                RowWrite<NoteTable>(before: old, after: new),
                NoteReactionTable.setting(reaction, isThere, note: old.key, reader: reader),
            ])
        }
    }
}
