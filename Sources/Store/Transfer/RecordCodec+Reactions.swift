import JSON
import Model

extension RecordCodec {
    /// The codec of reactions, from which the counts of a note follow.
    static let reactions = RecordCodec(
        "reaction",
        """
        SELECT (SELECT id FROM notes WHERE key = note), (SELECT id FROM readers WHERE key = reactions.reader), reaction
        FROM reactions ORDER BY reactions.note, 2, 3
        """,
        [
            .init("note", .key("notes")), .init("reader", .anyReader),
            .init("reaction", .choice(Reaction.allCases.map(\.rawValue))),
        ]
    ) { cells, state throws(LecternError) in
        guard case .integer(let note) = cells[0], case .integer(let reader) = cells[1],
            case .text(let word) = cells[2], let reaction = Reaction(rawValue: word),
            let old = try state.read(NoteTable.find(key: note, in: state.db)),
            old.text != nil
        else { throw .unknown("note") }
        guard try !state.read(ReactionTable.exists(reaction, note: note, reader: reader, in: state.db)) else {
            return Decision([Write<NoteTable>(before: old, after: old)])
        }
        var new = old
        new.reactions[reaction] += 1
        return Decision([
            Write<NoteTable>(before: old, after: new, keepsTimes: true),
            SetReaction(reaction: reaction, isThere: true, note: note, reader: reader),
        ])
    }
}
