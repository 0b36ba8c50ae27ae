import JSON
import Model

// How what requests never see is said in an export, and understood.

extension Portion.Also {
    /// What it is said by; `more` is asked of a reader.
    func expression(of table: String, _ more: String) -> String {
        let column = "\(table).\(column)"
        return switch form {
        case .reader: "(SELECT id FROM readers WHERE key = \(column)\(more))"
        case .nameless: "(SELECT id FROM readers WHERE key = \(column) AND \(table).is_nameless = 1\(more))"
        case .frame: Place.idSQL(of: column)
        case .reticent: "CASE WHEN \(table).is_reticent = 1 THEN \(column) END"
        case .flag: "nullif(\(column), 0)"
        case .answered: more.isEmpty ? Self.answered(column) : "NULL"
        case .entryOfNote:
            """
            (SELECT entries.id FROM entries JOIN readings ON readings.key = entries.reading
                WHERE entries.note_id = notes.id)
            """
        case .numberOfBook: "CASE WHEN \(table).frame = \(table).book THEN \(column) END"
        case .depthOfEdition: "CASE WHEN \(table).frame <> \(table).book THEN \(column) END"
        case .id, .number, .depth, .noteKind: column
        }
    }

    private static func answered(_ column: String) -> String {
        """
        (WITH RECURSIVE above (key) AS (SELECT \(column) UNION ALL
            SELECT gone.answers FROM above JOIN notes AS gone ON gone.key = above.key WHERE gone.body IS NULL)
        SELECT there.id FROM above JOIN notes AS there ON there.key = above.key WHERE there.body IS NOT NULL)
        """
    }

    func write(_ statement: Statement, at index: Int32, to json: inout JSONWriter) {
        switch form {
        case .id, .reader:
            json.name(member)
            json.value(statement.optionalID(index))
        case .number, .numberOfBook, .depth, .depthOfEdition, .reticent, .flag:
            guard let number = statement.optionalInteger(index) else { return }
            json.name(member)
            json.integer(number)
        case .frame, .answered, .nameless, .entryOfNote:
            guard let id = statement.optionalID(index) else { return }
            json.name(member)
            json.id(id)
        case .noteKind:
            guard let kind = statement.optionalText(index) else { return }
            json.name(member)
            json.string(kind)
        }
    }

    func decode(_ decoder: inout ObjectDecoder) {
        switch form {
        // The decoder keeps its violations, and `cell` reads the value again, so the result is ignored here.
        case .number, .numberOfBook, .reticent: _ = decoder.integer(member, in: 0...1_000_000)
        case .flag: _ = decoder.integer(member, in: 0...1)
        case .depth, .depthOfEdition: _ = decoder.integer(member, in: 0...1_000_000 * Place.fine)
        case .id, .reader, .frame, .answered, .nameless, .entryOfNote: _ = decoder.id(member)
        case .noteKind: _ = decoder.choice(member) as Patch<Note.Kind>
        }
    }

    /// What the column is to hold; nil where the line says nothing of it.
    func cell(
        _ line: JSONValue, _ state: borrowing WriteState, _ bringing: Bringing
    ) throws(LecternError) -> Cell? {
        let value = line["\(member)"]
        switch form {
        case .numberOfBook where line["frame"] != nil: return nil
        case .number, .numberOfBook, .depth, .depthOfEdition, .reticent, .flag:
            return value?.integer.map { .integer($0) }
        default: break
        }
        if form == .noteKind { return value?.string.map { .text($0) } }
        guard let id = value.flatMap({ ResourceID(json: $0) }) else { return nil }
        switch form {
        // What was somebody's is nobody's when they have left; what must be somebody's looks for them.
        case .reader: return .integer(try state.readerKey(id, of: member, bringing, mayHaveLeft: true))
        case .frame:
            if let edition = try state.read(EditionTable.find(id, in: state.db)) {
                return .integer(Place.edition(edition.key))
            }
            guard let book = try state.read(BookTable.find(id, in: state.db)) else { throw .unknown(member) }
            return .integer(Place.chapters(ofBook: book.key))
        case .answered:
            guard !bringing.isOfAccount, let note = try state.read(NoteTable.find(id, in: state.db)) else { return nil }
            return .integer(note.key)
        // Links has looked for it.
        case .nameless: return nil
        default: return .id(id)
        }
    }
}
