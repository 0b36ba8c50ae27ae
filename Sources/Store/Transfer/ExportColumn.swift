import JSON
import Model

/// A column that no request shows, and that an export needs to restore the row.
struct ExportColumn: Sendable {
    /// The form of its values.
    enum Form: Sendable {
        case id
        /// The key of a reader's row, exported as its id.
        case reader
        /// A number from 0 to 1,000,000.
        case number
        /// A number from 0 to 1,000,000 in a scale of no edition, whose record has no `frame`.
        case numberOfBook
        /// A number from 0 to 1,000,000,000.
        case depth
        /// A number from 0 to 1,000,000,000 in the scale of an edition.
        case depthOfEdition
        /// The threshold of a note that does not show it.
        case reticent
        /// A Boolean value; left out if false.
        case flag
        /// A place (see `Place`), exported as the id of its edition or book.
        case frame
        /// The key of the note that is answered, exported as its id; if that note is deleted, of the next one above that is not.
        case answered
        /// The key of the author of a nameless note, exported as the author's id; left out of other notes.
        case nameless
        /// The kind of a note; the member `kind` of a line is the kind of the record.
        case noteKind
        /// The id of the entry that shows a note.
        case entryOfNote
    }

    let member: StaticString
    let column: String
    let form: Form

    /// The marks of a reader.
    static let reached = [
        ExportColumn("frame", .frame), ExportColumn("floor", .number),
        ExportColumn("depth", column: "frame_at", .depth),
        ExportColumn("chaptersAt", column: "chapters_at", .depth),
    ]

    /// The threshold of a note.
    static let opening = [
        ExportColumn("frame", .frame), ExportColumn("frameAt", column: "frame_at", .numberOfBook),
        ExportColumn("depth", column: "frame_at", .depthOfEdition),
        ExportColumn("chaptersAt", column: "chapters_at", .depth),
        ExportColumn("opensAtUntold", column: "opens_at", .reticent),
    ]

    /// A column with the name of its member, unless another is given.
    @inline(never)
    init(_ member: StaticString, column: String? = nil, _ form: Form) {
        (self.member, self.column, self.form) = (member, column ?? "\(member)", form)
    }

    /// The SQL expression of the exported value.
    func expression(of table: String) -> String {
        let column = "\(table).\(column)"
        return switch form {
        case .reader: "(SELECT id FROM readers WHERE key = \(column))"
        case .nameless: "(SELECT id FROM readers WHERE key = \(column) AND \(table).is_nameless = 1)"
        case .frame: Place.idSQL(of: column)
        case .reticent: "CASE WHEN \(table).is_reticent = 1 THEN \(column) END"
        case .flag: "nullif(\(column), 0)"
        case .answered:
            """
            (WITH RECURSIVE above (key) AS (SELECT \(column) UNION ALL
                SELECT gone.answers FROM above JOIN notes AS gone ON gone.key = above.key WHERE gone.body IS NULL)
            SELECT there.id FROM above JOIN notes AS there ON there.key = above.key WHERE there.body IS NOT NULL)
            """
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

    /// Writes the value in a column of a result.
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

    /// Notes what is wrong with the member.
    func validate(_ decoder: inout ObjectDecoder) {
        switch form {
        // The decoder keeps its violations, and `cell` reads the value again, so the result is ignored here.
        case .number, .numberOfBook, .reticent: _ = decoder.integer(member, in: 0...1_000_000)
        case .flag: _ = decoder.integer(member, in: 0...1)
        case .depth, .depthOfEdition: _ = decoder.integer(member, in: 0...1_000_000 * Place.fine)
        case .id, .reader, .frame, .answered, .nameless, .entryOfNote: _ = decoder.id(member)
        case .noteKind: _ = decoder.choice(member) as Patch<Note.Kind>
        }
    }

    /// The value to store; `nil` if the line has none.
    func cell(
        _ line: JSONValue, _ state: borrowing WriteState, _ context: ImportContext
    ) throws(LecternError) -> Cell? {
        let value = line["\(member)"]
        switch form {
        case .numberOfBook where line["frame"] != nil: return nil
        case .number, .numberOfBook, .depth, .depthOfEdition, .reticent, .flag:
            return value?.integer.map { .integer($0) }
        case .noteKind: return value?.string.map { .text($0) }
        case .nameless: return nil  // `Links` resolves it together with the author.
        case .id, .reader, .frame, .answered, .entryOfNote: break
        }
        guard let id = value.flatMap({ ResourceID(json: $0) }) else { return nil }
        switch form {
        case .reader: return .integer(try state.readerKey(id, of: member, context, mayHaveLeft: true))
        case .frame:
            if let edition = try state.read(EditionTable.find(id, in: state.db)) {
                return .integer(Place.edition(edition.key))
            }
            guard let book = try state.read(BookTable.find(id, in: state.db)) else { throw .unknown(member) }
            return .integer(Place.chapters(ofBook: book.key))
        case .answered: return try state.read(NoteTable.find(id, in: state.db)).map { .integer($0.key) }
        default: return .id(id)
        }
    }
}
