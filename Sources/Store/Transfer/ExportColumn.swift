import JSON
import Model

/// A column that responses do not contain, but that an export needs to restore the row.
struct ExportColumn: Sendable {
    let member: StaticString
    let column: String
    let form: ExportColumnForm

    /// The columns of a position: its scale, its chapter scale, and the amount in each.
    static let scaled = [
        ExportColumn("scale", .scale(amount: "amount")), ExportColumn("amount", .amount),
        ExportColumn("chapters", .scale(amount: "chaptersAmount")),
        ExportColumn("chaptersAmount", column: "chapters_amount", .amount),
    ]

    /// The amount at which a note becomes visible.
    static let threshold = [ExportColumn("scale", .scale(amount: "at")), ExportColumn("at", .amount)]

    /// The maximum amount, which is more than any real one: ten million locations.
    private static let amountMax = EditionAmount.whole.upperBound * ComparisonScale.unit

    /// A Boolean value indicating whether the column contains a scale.
    var isScale: Bool { if case .scale = form { true } else { false } }

    /// Creates a column with the name of its member, unless another one is given.
    @inline(never)
    init(_ member: StaticString, column: String? = nil, _ form: ExportColumnForm) {
        (self.member, self.column, self.form) = (member, column ?? "\(member)", form)
    }

    /// Returns the SQL expression of the value in an export of the whole server or, with the condition for exported
    /// notes, of an account.
    func expression(of table: String, notes: String?) -> String {
        let column = "\(table).\(column)"
        return switch form {
        case .reader: "(SELECT id FROM readers WHERE key = \(column))"
        case .nameless: "(SELECT id FROM readers WHERE key = \(column) AND \(table).is_nameless = 1)"
        case .scale: "(SELECT name FROM scales WHERE key = \(column))"
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
        case .note: notes.map { "(SELECT id FROM notes WHERE id = \(column) AND \($0))" } ?? column
        case .id, .amount, .noteKind: column
        }
    }

    /// Writes the value in a column of a result.
    func write(_ statement: SQLiteStatement, at index: Int32, to json: inout JSONWriter) {
        switch form {
        case .id, .reader:
            json.member(member, statement.optionalID(index))
        case .amount:
            guard let number = statement.optionalInteger(index) else { return }
            json.member(member, number)
        case .answered, .nameless, .entryOfNote, .note:
            guard let id = statement.optionalID(index) else { return }
            json.member(member, id)
        case .noteKind, .scale:
            guard let text = statement.optionalText(index) else { return }
            json.member(member, text)
        }
    }

    /// Records the violations in the column's JSON member of a line.
    func validate(_ decoder: inout ObjectDecoder) {
        switch form {
        // The decoder keeps its violations, and `cell` reads the value again, so the result is ignored here.
        case .amount: _ = decoder.integer(member, in: 0...Self.amountMax)
        case .scale(let amount):
            let name = decoder.string(member, length: 1...100)
            if let name = name.value, ComparisonScale(name) == nil {
                decoder.refuse(member, "is not the name of a scale")
            }
            // A threshold is never at the beginning.
            let least: Int64 = "\(amount)" == "at" ? 1 : 0
            let hasAmount = decoder.integer(amount, in: least...Self.amountMax).value != nil
            if (name.value != nil) != hasAmount {
                decoder.refuse(member, "must be given with \(amount), or not at all")
            }
        case .id, .reader, .answered, .nameless, .entryOfNote, .note: _ = decoder.id(member)
        case .noteKind: _ = decoder.choice(member) as NoteKind?
        }
    }

    /// Returns the value to store, or `nil` if the line has none. Scales of the book that are new here are added to
    /// `newScales`.
    func cell(
        _ line: ImportLine, ofBook book: Int64?, _ state: borrowing WriteState, _ newScales: inout [any CommandChange]
    ) throws(RequestError) -> DatabaseValue? {
        let value = line["\(member)"]
        switch form {
        case .amount: return value?.integer.map { .integer($0) }
        case .noteKind: return value?.string.map { .text($0) }
        case .scale:
            guard let scale = value?.string.flatMap({ ComparisonScale($0) }), let book else { return nil }
            return .integer(try state.key(of: scale, ofBook: book, &newScales))
        case .nameless: return nil  // `ImportReferenceResolver` resolves it together with the author.
        case .id, .reader, .answered, .entryOfNote, .note: break
        }
        guard let id = value.flatMap({ ResourceID(json: $0) }) else { return nil }
        switch form {
        case .reader: return .integer(try state.readerKey(id, of: member, line, mayHaveLeft: true))
        case .answered:
            // An export names the answered note only if it contains it.
            guard let note = try state.read(NoteTable.find(id, in: state.db)) else { throw .unknown(member) }
            return .integer(note.key)
        default: return .id(id)
        }
    }
}

/// The form of the values of an export column.
enum ExportColumnForm: Sendable {
    case id
    /// The key of a reader's row, exported as its id.
    case reader
    /// The key of a scale, exported as its name, with the member of its amount.
    case scale(amount: StaticString)
    /// An amount of a scale.
    case amount
    /// The key of the answered note, exported as its id. If that note is deleted, the id is that of the next
    /// existing note above it.
    case answered
    /// The key of the author of a nameless note, exported as the author's id; left out of other notes.
    case nameless
    /// The kind of a note; the member `kind` of a line is the kind of the record.
    case noteKind
    /// The id of the entry that shows a note.
    case entryOfNote
    /// The id of one of the reader's notes, left out if the export does not contain that note.
    case note
}

extension WriteState {
    /// Returns the key of a row's book, from its own columns or those of its reading.
    func book(of cells: [String: DatabaseValue]) throws(RequestError) -> Int64? {
        if case .integer(let book)? = cells["book"] { return book }
        guard case .integer(let reading)? = cells["reading"] else { return nil }
        return try read(ReadingTable.book(of: reading, in: db))
    }
}
