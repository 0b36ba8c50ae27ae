import JSON
import Model

/// A column of a table as an export contains it. A resource's line has one for each column that responses do not contain
/// but that restores the row; a line of another row has nothing else.
struct ExportColumn: Sendable {
    let member: StaticString
    let column: String
    let form: ExportColumnForm
    /// A Boolean value indicating whether the line of a row that is no resource may lack the value.
    let isOptional: Bool

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
    init(_ member: StaticString, column: String? = nil, _ form: ExportColumnForm, isOptional: Bool = false) {
        (self.member, self.column, self.form, self.isOptional) = (member, column ?? "\(member)", form, isOptional)
    }

    /// Returns the SQL expression of the value in an export of the whole server or, with the condition for exported
    /// notes, of an account.
    func expression(of table: String, notes: String? = nil) -> String {
        let column = "\(table).\(column)"
        return switch form {
        case .key(let other): "(SELECT id FROM \(other) WHERE key = \(column))"
        case .anyReader: "(SELECT id FROM readers WHERE key = \(column))"
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
        case .digest: "lower(hex(\(column)))"
        default: column
        }
    }

    /// Writes the value in a column of a result.
    func write(_ statement: SQLiteStatement, at index: Int32, to json: inout JSONWriter) {
        let value = statement.cell(index)
        switch (form, value) {
        case (.amount, .null), (.answered, .null), (.nameless, .null), (.entryOfNote, .null), (.note, .null),
            (.noteKind, .null), (.scale, .null):
            return
        case (.kind, .integer(let number)):
            json.member(member, ResourceKind(rawValue: UInt8(truncatingIfNeeded: number))?.name ?? "")
        case (.time, .integer(let milliseconds)): json.member(member, Instant(milliseconds: milliseconds))
        case (_, .integer(let number)): json.member(member, number)
        case (_, .text(let text)): json.member(member, text)
        case (_, .id(let id)): json.member(member, id)
        default: json.member(member, nil as String?)
        }
    }

    /// Records the violations in the column's JSON member of a resource's line.
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
        case .noteKind: _ = decoder.choice(member) as NoteKind?
        default: _ = decoder.id(member)
        }
    }
}
