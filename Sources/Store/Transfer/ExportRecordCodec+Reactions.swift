import JSON
import Model

/// The codec of reactions, from which the reaction counts of a note follow.
extension ExportRecordCodec {
    static let reactions = ExportRecordCodec(
        kind: "reaction",
        whole: SQLText(
            """
            SELECT (SELECT id FROM notes WHERE key = note), (SELECT id FROM readers WHERE key = reactions.reader), reaction
            FROM reactions ORDER BY reactions.note, 2, 3
            """),
        write: { statement, _, json in
            json.member("note", statement.id(0))
            json.member("reader", statement.id(1))
            json.member("reaction", statement.text(2))
        },
        read: { line, state throws(RequestError) in
            var decoder = line.decoder
            let (note, reader) = (decoder.id("note"), decoder.id("reader"))
            let given: NoteReaction? = decoder.choice("reaction")
            try decoder.demandValid()
            guard let note, let reader, let reaction = given else {
                throw .violation("", "must have note, reader and reaction")
            }
            let key = try state.readerKey(reader, of: "reader", line, mayHaveLeft: true)
            guard let old = try state.query(NoteTable.find(note, in: state.db)) else { throw .unknown("note") }
            guard try !state.query(NoteReactionTable.exists(reaction, note: old.key, reader: key, in: state.db)) else {
                return CommandDecision([RowWrite<NoteTable>(before: old, after: old)])
            }
            var new = old
            new.reactions[reaction] += 1
            return CommandDecision([
                RowWrite<NoteTable>(before: old, after: new, keepsTimes: true),
                NoteReactionTable.setting(reaction, true, note: old.key, reader: key),
            ])
        })
}
