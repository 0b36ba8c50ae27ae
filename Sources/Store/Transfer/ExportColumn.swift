import JSON
import Model

/// A column of a table as its records have it: the member, and the form of its values.
struct ExportColumn: Sendable {
    /// The form of the values.
    enum Form: Sendable {
        case id, text, time, digest, resourceKind, signInName, passwordHash
        /// The sign-in name in the member `name`, folded.
        case foldedName
        /// One of some words.
        case choice([String])
        /// A number from 0 to a maximum.
        case number(Int64)
        /// The key of a row of a table, exported as its id.
        case key(String)
        /// The key of a reader who may have left, exported as the id.
        case anyReader
        /// A place (see `Place`), exported as the id of its edition or book.
        case frame
        /// The key of the note that is answered, exported as its id; if that note is deleted, of the next one above that is not.
        case answered
        /// The id of the entry that shows a note.
        case entryOfNote
    }

    /// The way in which a record has no value.
    enum Absence: Sendable {
        /// It always has one.
        case never
        case null
        /// The member is left out.
        case leftOut
    }

    let member: StaticString
    let column: String
    let form: Form
    let absence: Absence
    /// The condition of the rows that have a value.
    let condition: String?

    /// A column with the name of its member, unless another is given.
    @inline(never)
    init(
        _ member: StaticString, column: String? = nil, _ form: Form, _ absence: Absence = .never,
        if condition: String? = nil
    ) {
        (self.member, self.column, self.form) = (member, column ?? "\(member)", form)
        (self.absence, self.condition) = (condition == nil ? absence : .leftOut, condition)
    }

    /// A number that is left out where there is none.
    @inline(never)
    init(_ member: StaticString, column: String? = nil, max: Int64, if condition: String? = nil) {
        self.init(member, column: column, .number(max), .leftOut, if: condition)
    }

    /// The reader who added a row of the catalogue.
    static let adder = ExportColumn("addedBy", column: "added_by", .anyReader, .null)

    private static let share: Int64 = 1_000_000

    /// The marks of a reader.
    static let reached = [
        ExportColumn("frame", .frame, .leftOut), ExportColumn("floor", max: share),
        ExportColumn("depth", column: "frame_at", max: share * Place.fine),
        ExportColumn("chaptersAt", column: "chapters_at", max: share * Place.fine),
    ]

    /// The threshold of a note.
    static let opening = [
        ExportColumn("frame", .frame, .leftOut),
        ExportColumn("frameAt", column: "frame_at", max: share, if: "notes.frame = notes.book"),
        ExportColumn("depth", column: "frame_at", max: share * Place.fine, if: "notes.frame <> notes.book"),
        ExportColumn("chaptersAt", column: "chapters_at", max: share * Place.fine),
        ExportColumn("opensAtUntold", column: "opens_at", max: share, if: "notes.is_reticent = 1"),
    ]

    /// The SQL expression of the exported value.
    func expression(of table: String) -> String {
        let column = "\(table).\(column)"
        let value =
            switch form {
            case .key(let other): "(SELECT id FROM \(other) WHERE key = \(column))"
            case .anyReader: "(SELECT id FROM readers WHERE key = \(column))"
            case .digest: "lower(hex(\(column)))"
            case .frame: Place.idSQL(of: column)
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
            default: column
            }
        return condition.map { "CASE WHEN \($0) THEN \(value) END" } ?? value
    }

    /// Writes the value in a column of a result.
    func write(_ statement: Statement, at index: Int32, to json: inout JSONWriter) {
        if case .leftOut = absence, case .null = statement.cell(index) { return }
        json.name(member)
        switch form {
        case .id, .key, .anyReader, .frame, .answered, .entryOfNote: json.value(statement.optionalID(index))
        case .text, .digest, .signInName, .foldedName, .passwordHash, .choice:
            json.value(statement.optionalText(index))
        case .number: json.integer(statement.integer(index))
        case .time: json.value(statement.optionalInstant(index))
        case .resourceKind:
            json.string(ResourceKind(rawValue: UInt8(truncatingIfNeeded: statement.integer(index)))?.name ?? "")
        }
    }

    /// Returns the value to store; `nil` if the line leaves it out. Throws what is wrong with it.
    func cell(
        _ line: JSONValue, _ state: borrowing WriteState, _ context: ImportContext
    ) throws(LecternError) -> Cell? {
        guard let value = line["\(member)"], !value.isNull else {
            switch absence {
            case .never: throw wrong("is required")
            case .null: return .null
            case .leftOut: return nil
            }
        }
        switch form {
        case .number(let max):
            guard let number = value.integer, (0...max).contains(number) else { throw wrong("must be 0 to \(max)") }
            return .integer(number)
        case .digest:
            guard let digest = value.string.flatMap({ Digest(hexadecimal: $0) }) else {
                throw wrong("must be 64 hexadecimal digits")
            }
            return .digest(digest)
        case .resourceKind:
            guard let kind = ResourceKind.allCases.first(where: { $0.name == value.string }) else {
                throw wrong("must be a kind of resource")
            }
            return .integer(Int64(kind.rawValue))
        case .time:
            guard let time = Instant(json: value) else { throw wrong("must be a time") }
            return time.cell
        case .text, .choice, .signInName, .foldedName, .passwordHash:
            return .text(try text(value, of: line, context))
        default: break
        }
        guard let id = ResourceID(json: value) else { throw wrong("must be a UUID") }
        switch form {
        case .key("readers"): return .integer(try state.readerKey(id, of: member, context))
        case .anyReader: return .integer(try state.readerKey(id, of: member, context, mayHaveLeft: true))
        case .key(let table):
            let key = try state.query { db throws(SQLiteError) in
                try db.statement(Self.keys, table).bind(1, id).first { $0.integer(0) }
            }
            guard let key else { throw .unknown(member) }
            return .integer(key)
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

    private static let keys = Variants<String> { "SELECT key FROM \($0) WHERE id = ?1" }

    private func text(
        _ value: JSONValue, of line: JSONValue, _ context: ImportContext
    ) throws(LecternError) -> String {
        guard let text = value.string, text.utf8.count <= 10_000, !text.utf8.contains(0) else {
            throw wrong("must be a text")
        }
        func isSame(_ other: String?) -> Bool { other?.utf8.elementsEqual(text.utf8) ?? false }
        switch form {
        case .choice(let words) where !words.contains(where: isSame):
            throw wrong("must be one of " + words.joined(separator: ", "))
        case .signInName where !isSame(SignInName(text)?.text): throw wrong("\(SignInName.rule), composed")
        case .foldedName where !isSame(line["name"]?.string.flatMap { SignInName($0) }?.folded):
            throw wrong("must be the name, folded")
        case .passwordHash:
            let most = context.passwordMebibytesMax
            guard PasswordHash.isValid(text, mebibytesMax: most) else {
                throw wrong("must be a hash of yescrypt that takes 1 to \(most) MiB: see --password-mebibytes")
            }
        default: break
        }
        return text
    }

    private func wrong(_ detail: String) -> LecternError {
        .invalid([Violation(pointer: "/\(member)", detail: detail)])
    }
}
