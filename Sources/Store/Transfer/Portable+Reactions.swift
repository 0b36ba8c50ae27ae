import JSON
import Model

/// Reactions, of which a note's counts follow.
extension Portable {
    private static let columns = """
        SELECT (SELECT id FROM notes WHERE key = note), (SELECT id FROM readers WHERE key = reactions.reader), reaction
        FROM reactions
        """

    static let reactions = Portable(
        kind: "reaction", account: .facts("reactions.reader = ?1"),
        whole: SQL("\(columns) ORDER BY reactions.note, 2, 3"),
        ofReader: SQL("\(columns) WHERE reactions.reader = ?1 ORDER BY 1, 3"),
        place: { Place(id: $0.id(0), part: $0.text(2)) },
        write: { statement, _, json in
            json.name("note")
            json.id(statement.id(0))
            json.name("reader")
            json.id(statement.id(1))
            json.name("reaction")
            json.string(statement.text(2))
        },
        unique: [],
        bring: { line, state, _, bringing throws(LecternError) in
            var decoder = ObjectDecoder(line)
            // The member was read before to choose this codec.
            _ = decoder.value("kind")
            let (note, reader) = (decoder.id("note"), decoder.id("reader"))
            let said: Patch<Reaction> = decoder.choice("reaction")
            try decoder.demandValid()
            guard let note, let reader, case .set(let reaction) = said else {
                throw .invalid([Violation(pointer: "", detail: "must have note, reader and reaction")])
            }
            let key = try state.readerKey(reader, of: "reader", bringing, mayHaveLeft: true)
            let old = try state.read(NoteTable.current(note, in: state.db))
            let isHere = try old.map { old throws(LecternError) in
                try state.read(ReactionTable.exists(reaction, note: old.key, reader: key, in: state.db))
            }
            if bringing.isOfAccount {
                return try state.keepingFact(
                    line, kind: "reaction", Place(id: note, part: reaction.rawValue), isHere: isHere ?? false, bringing)
            }
            guard let old else { throw .unknown("note") }
            guard isHere != true else { return Decision([Write<NoteTable>(before: old, after: old)]) }
            var new = old
            new.reactions[reaction] += 1
            return Decision([
                Write<NoteTable>(before: old, after: new, keepsTimes: true),
                SetReaction(reaction: reaction, isThere: true, note: old.key, reader: key),
            ])
        })
}
