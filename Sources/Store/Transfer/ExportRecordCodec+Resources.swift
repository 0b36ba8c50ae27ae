import JSON
import Model

/// The codec of a resource's rows: their fields, the export's own columns, and their times. Versions are not exported.
extension ExportRecordCodec {
    @_semantics("optimize.sil.specialize.generic.never")
    init<Stored: ExportedTable>(_: Stored.Type, _ exported: ExportedRows, isThere: String? = nil) {
        let rows = Stored.rows
        let whole = ExportedMembers<Stored>(exported, isOfAccount: false)
        let account = ExportedMembers<Stored>(exported, isOfAccount: true)
        let resources = ResourceImport<Stored>(exported, whole: whole, account: account)
        let order = exported.order ?? "\(rows.name).key"
        func select(_ members: ExportedMembers<Stored>, notes: String?, _ conditions: [String?]) -> SQLText {
            let columns = [rows.columns] + members.columns.map { $0.expression(of: rows.name, notes: notes) }
            let all = ([isThere ?? rows.isThere, exported.condition] + conditions).compactMap(\.self)
            return SQLText(
                """
                SELECT \(columns.joined(separator: ", ")) FROM \(rows.joins)
                WHERE \(all.joined(separator: " AND ")) ORDER BY \(order)
                """)
        }
        self.init(
            kind: Stored.Row.kind.name, whole: select(whole, notes: nil, []),
            write: { statement, scope, json throws(SQLiteError) in
                let row = Stored.exported(try rows.row(statement), in: scope)
                let members = if case .everything = scope { whole } else { account }
                json.member("id", row.id)
                row.write(members.fields, to: &json)
                for (index, column) in members.columns.enumerated() {
                    column.write(statement, at: rows.width + Int32(index), to: &json)
                }
                json.member("createdAt", ifAny: row.createdAt)
                json.member("updatedAt", ifAny: row.updatedAt)
            },
            read: { line, state throws(RequestError) in
                try resources.decision(line, state)
            })
        func select(isManaged: Bool) -> SQLText? {
            let notes = NoteTable.accountRows.condition(isManaged: isManaged)
            return exported.inAccounts.condition(isManaged: isManaged).map {
                select(account, notes: notes, [$0, exported.accountCondition])
            }
        }
        (self.account, managed) = (select(isManaged: false), select(isManaged: true))
    }
}

/// The members of a resource's record, in an export of the whole server or of an account.
struct ExportedMembers<Stored: ResourceTable>: Sendable {
    let fields: FieldSet
    /// The fields that refer to other resources.
    let links: [(name: StaticString, id: DatabaseColumn<Stored.Row>, key: DatabaseColumn<Stored.Row>)]
    let columns: [ExportColumn]

    @_semantics("optimize.sil.specialize.generic.never")
    init(_ exported: ExportedRows, isOfAccount: Bool) {
        let without = exported.without + (isOfAccount ? exported.wholeOnly : [])
        let names = Stored.Row.fields.names
        let out = names.indices.filter { without.contains(names[$0].description) }
        fields = Stored.Row.fields.stored.subtracting(FieldSet(out.map { FieldSet(index: $0) }))
        links = Stored.Row.fields.links.filter { !without.contains($0.name.description) }
        columns = exported.columns.filter { !isOfAccount || !exported.wholeOnly.contains("\($0.member)") }
    }
}

/// The bounds of numbers that requests cannot set. They are checked here so that the database does not refuse the row.
private let importedNumberBounds: [(StaticString, ClosedRange<Int64>)] = [
    ("number", 1...Int64(Reading.numberMax)), ("page", 0...100_000), ("pageCount", 1...100_000),
    ("revision", 1...1_000_000_000),
]

/// The import of a resource's records.
struct ResourceImport<Stored: ExportedTable>: Sendable {
    private let exported: ExportedRows
    private let whole: ExportedMembers<Stored>
    private let account: ExportedMembers<Stored>
    private let isOwn: SQLText?
    /// The update of the time of creation of a row.
    private let creation: SQLText
    /// The columns of times that cannot be in the future.
    private let pastTimes: [DatabaseColumn<Stored.Row>]
    /// The flag that a time has passed, which the clock sets, and that time.
    private let passed: (flag: DatabaseColumn<Stored.Row>, time: DatabaseColumn<Stored.Row>)?

    @_semantics("optimize.sil.specialize.generic.never")
    init(_ exported: ExportedRows, whole: ExportedMembers<Stored>, account: ExportedMembers<Stored>) {
        (self.exported, self.whole, self.account) = (exported, whole, account)
        creation = SQLText("UPDATE \(Stored.rows.name) SET created_at = ?1 WHERE id = ?2")
        let names = ["happened_at", "received_at", "latest_entry_at", "last_read_at", "started_at", "finished_at"]
        pastTimes = Stored.Row.fields.columns.filter { names.contains($0.name) }
        let flag = Stored.Row.fields.columns.first { ["has_begun", "is_due"].contains($0.name) }
        let time = Stored.Row.fields.columns.first { ["starts_at", "due_at"].contains($0.name) }
        passed = flag.flatMap { flag in time.map { (flag, $0) } }
        if case .own(let condition, _) = exported.inAccounts {
            isOwn = SQLText("SELECT 1 FROM \(Stored.rows.joins) WHERE \(Stored.rows.name).id = ?2 AND \(condition)")
        } else {
            isOwn = nil
        }
    }

    /// Decides the changes that create or change the row of a line.
    @_semantics("optimize.sil.specialize.generic.never")
    func decision(_ line: ImportLine, _ state: borrowing WriteState) throws(RequestError) -> CommandDecision {
        let context = line.context
        var decoder = line.decoder
        let given = decoder.id("id") ?? .zero
        if given == .zero { decoder.refuse("id", "must be a UUID") }
        let id = context.here(given)
        if context.isOfAccount, Stored.Row.kind == .reader, id != context.target { throw .foreign }
        var old = try existing(id, line, state)
        var newScales: [any CommandChange] = []
        var row = try row(id, over: old, &decoder, line, state, &newScales)
        if let id = try Stored.derivedID(of: row, line), id != row.id {
            guard old == nil else {
                throw .refused(.importDiffers, "The existing row differs in fields that an import cannot change.")
            }
            old = try state.query(Stored.find(id, in: state.db))
            row.identity = CommonResourceFields(
                key: old?.key ?? 0, id: id, version: old?.version ?? 0, createdAt: old?.createdAt ?? row.createdAt,
                updatedAt: row.updatedAt)
        }
        if let old {
            guard let difference = row.difference(from: old), isImported(over: old, context) else {
                return CommandDecision([RowWrite<Stored>(before: old, after: old)])
            }
            try demandReplaceable(old, difference, context)
        }
        var imported = RowImport(row: row, old: old, line: line)
        try Stored.complete(&imported, state)
        imported.after += newScales
        if let old, let time = imported.row.createdAt, time != old.createdAt {
            imported.after.append(UnloggedWrite(creation, [time, old.id]))
        }
        let write = RowWrite<Stored>(before: old, after: imported.row, keepsTimes: true)
        return CommandDecision(imported.before + [write] + imported.after, subject: imported.before.count)
    }

    /// Returns the row of a line, with the keys of the rows that it refers to.
    @_semantics("optimize.sil.specialize.generic.never")
    private func row(
        _ id: ResourceID, over old: Stored.Row?, _ decoder: inout ObjectDecoder, _ line: ImportLine,
        _ state: borrowing WriteState, _ newScales: inout [any CommandChange]
    ) throws(RequestError) -> Stored.Row {
        let members = line.context.isOfAccount ? account : whole
        var row = old ?? Stored.Row(CommonResourceFields(id: id))
        row.take(members.fields, from: &decoder, line.json)
        for column in members.columns { column.validate(&decoder) }
        let times = Stored.rows.times
        row.takeTimes(created: times != .none, updated: times == .both, now: line.now, from: &decoder)
        for (name, range) in importedNumberBounds {
            guard let value = line[name.description], !value.isNull else { continue }
            if !(value.integer.map(range.contains) ?? false) {
                decoder.refuse(name, "must be \(range.lowerBound) to \(range.upperBound)")
            }
        }
        let now = line.now.milliseconds
        for column in pastTimes {
            guard case .integer(let time) = column.cell(row), time > now else { continue }
            // The cell is of the column's own type.
            _ = column.put(&row, old.map(column.cell) ?? line.now.cell)
        }
        if let passed, case .integer(let time) = passed.time.cell(row) {
            let isSame = if let old, case .integer(time) = passed.time.cell(old) { true } else { false }
            // The cell is of the column's own type.
            _ = passed.flag.put(&row, isSame ? passed.flag.cell(old ?? row) : (time <= now).cell)
        }
        // A row of version 0 was created automatically, and gets the time of its creation from its line.
        if let old, old.version > 0 { row.createdAt = old.createdAt }
        try decoder.demandValid()
        try link(&row, members, line, state, &newScales)
        return row
    }

    /// Sets the keys of the rows that a line refers to, and the export's own columns.
    @_semantics("optimize.sil.specialize.generic.never")
    private func link(
        _ row: inout Stored.Row, _ members: ExportedMembers<Stored>, _ line: ImportLine, _ state: borrowing WriteState,
        _ newScales: inout [any CommandChange]
    ) throws(RequestError) {
        var cells: [String: DatabaseValue] = [:]
        for link in members.links {
            guard case .id(let id) = link.id.cell(row) else {
                cells[link.key.name] = .null
                continue
            }
            cells[link.id.name] = .id(line.context.here(id))
            cells.merge(try ImportReferenceResolver.cells(link.key.name, link.name, id, in: line, state)) { $1 }
        }
        let book = try members.columns.contains(where: \.isScale) ? state.book(of: cells) : nil
        for column in members.columns {
            let cell = try column.cell(line, ofBook: book, state, &newScales)
            if let cell { cells[column.column] = cell }
        }
        // The cells have the columns' own types.
        for column in Stored.Row.fields.columns { if let cell = cells[column.name] { _ = column.put(&row, cell) } }
    }

    /// Returns the row with an id, or `nil`. Throws if another resource has the id, or a deleted note had it.
    @_semantics("optimize.sil.specialize.generic.never")
    private func existing(
        _ id: ResourceID, _ line: ImportLine, _ state: borrowing WriteState
    ) throws(RequestError) -> Stored.Row? {
        guard let old = try state.query(Stored.find(id, in: state.db)) else {
            if try state.query(Stored.rows.has(id, in: state.db)) { throw .idTaken }
            return nil
        }
        guard let isOwn, let reader = try state.accountKey(line) else { return old }
        let isOwned = try state.query(state.db.statement(isOwn).bind(reader, id).hasRow())
        // Anybody can compute a derived id, so the answer must not depend on another reader's row.
        guard isOwned || exported.hasDerivedID else { throw .idTaken }
        return isOwned ? old : nil
    }

    /// Returns a Boolean value indicating whether a line can change an existing row. The import of an account changes
    /// nothing that others see.
    @_semantics("optimize.sil.specialize.generic.never")
    private func isImported(over old: Stored.Row, _ context: ImportContext) -> Bool {
        guard context.isOfAccount else { return true }
        if case .catalogue = exported.inAccounts { return false }
        return !Stored.isSeenByOthers(old)
    }

    @_semantics("optimize.sil.specialize.generic.never")
    private func demandReplaceable(
        _ old: Stored.Row, _ difference: ResourceDifference, _ context: ImportContext
    ) throws(RequestError) {
        let names = difference.changed.indices.map { Stored.Row.fields.names[$0].description }.joined(separator: ", ")
        guard exported.isReplaceable, Stored.Row.fields.changing.isSuperset(of: difference.changed) else {
            throw .refused(.importDiffers, "The existing row differs in fields that an import cannot change: \(names).")
        }
        // A row of version 0 still has its initial values.
        guard context.replaces || old.version == 0 else {
            throw .refused(
                .importDiffers, "The existing row differs in: \(names). Import the line with replace to overwrite it.")
        }
    }
}
