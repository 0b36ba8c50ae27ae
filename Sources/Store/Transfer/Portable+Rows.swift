import JSON
import Model

/// Lines of a resource: its fields, and when it was made and changed; what it was known by in the log stays behind.
extension Portable {
    @_semantics("optimize.sil.specialize.generic.never")
    init<Stored: Table>(_: Stored.Type, _ portion: Portion, isThere: String) {
        let rows = Stored.rows
        let taking = Taking<Stored>(portion)
        let order = portion.order ?? "\(rows.name).key"
        func select(_ conditions: [String], _ also: (Portion.Also) -> String, by order: String) -> SQL {
            let columns = ([rows.columns] + portion.also.map(also)).joined(separator: ", ")
            return SQL(
                "SELECT \(columns) FROM \(rows.joins) WHERE \(conditions.joined(separator: " AND ")) ORDER BY \(order)")
        }
        func said(_ also: Portion.Also, _ more: String) -> String {
            let expression = also.expression(of: rows.name, more)
            guard !more.isEmpty, let untold = also.untold else { return expression }
            return "CASE WHEN NOT (\(untold)) THEN \(expression) END"
        }
        let conditions = [isThere] + (portion.condition.map { [$0] } ?? [])
        kind = Stored.Row.kind.name
        account = portion.account
        whole = select(conditions, { said($0, "") }, by: order)
        ofReader = portion.account.condition.map { condition in
            // What is kept of facts has nothing but its id to be in order by.
            if case .facts = portion.account {
                return select(conditions + [condition], { said($0, "") }, by: "\(rows.name).id")
            }
            return select(conditions + [condition], { said($0, " AND key = ?1") }, by: order)
        }
        if let condition = portion.account.condition, let privacy = portion.privacy {
            let open = conditions + [condition, "NOT (\(privacy))"]
            ofWard = select(open, { said($0, " AND key = ?1") }, by: order)
        }
        place = { Place(id: $0.id(1)) }
        unique = portion.unique
        write = { statement, isOfAccount, json in
            let row = Stored.exported(rows.row(statement))
            json.name("id")
            json.id(row.id)
            row.write(isOfAccount ? taking.fieldsOfAccount : taking.fields, to: &json)
            for (index, also) in portion.also.enumerated() {
                also.write(statement, at: rows.width + Int32(index), to: &json)
            }
            if let made = row.createdAt {
                json.name("createdAt")
                json.instant(made)
            }
            if let changed = row.updatedAt {
                json.name("updatedAt")
                json.instant(changed)
            }
        }
        bring = { line, state, asker, bringing throws(LecternError) in
            try taking.decision(line, state, asker, bringing)
        }
    }
}

/// How a line of a resource is understood.
struct Taking<Stored: Table>: Sendable {
    let portion: Portion
    let fields: FieldSet
    let fieldsOfAccount: FieldSet
    private let isOwn: SQL?
    private let rivals: Rivals<Stored.Row>
    /// The fields that name other resources. Found once: an import asks for them at each line.
    private let links: [(name: StaticString, id: Column<Stored.Row>, key: Column<Stored.Row>)]
    /// Of numbers that no request says in their fields: what the database would refuse, and what could not be counted on from.
    private let bounds: [(StaticString, ClosedRange<Int64>)]

    @_semantics("optimize.sil.specialize.generic.never")
    init(_ portion: Portion) {
        self.portion = portion
        func without(_ members: [String]) -> FieldSet {
            let names = Stored.Row.fields.names
            let out = names.indices.filter { members.contains(names[$0].description) }
            return Stored.Row.fields.stored.subtracting(FieldSet(out.map { FieldSet(index: $0) }))
        }
        fields = without(portion.without)
        fieldsOfAccount = without(portion.without + portion.secret)
        rivals = Rivals(Stored.rows.name, portion.unique)
        links = Stored.Row.fields.links
        let names = Stored.Row.fields.names.map(\.description)
        let all: [(StaticString, ClosedRange<Int64>)] = [
            ("number", 1...Int64(Reading.numberMax)), ("page", 0...100_000), ("pageCount", 1...100_000),
        ]
        bounds = all.filter { names.contains($0.0.description) }
        isOwn = portion.account.condition.map {
            SQL("SELECT 1 FROM \(Stored.rows.joins) WHERE \(Stored.rows.name).id = ?2 AND \($0)")
        }
    }

    @_semantics("optimize.sil.specialize.generic.never")
    func decision(
        _ line: JSONValue, _ state: borrowing WriteState, _ asker: Asker, _ bringing: Bringing
    ) throws(LecternError) -> Decision {
        var decoder = ObjectDecoder(line)
        // The member was read before to choose this codec.
        _ = decoder.value("kind")
        let said = decoder.id("id") ?? .zero
        if said == .zero { decoder.refuse("id", "must be a UUID") }
        let id = bringing.here(said)
        let old = try state.read(Stored.find(id, in: state.db))
        if bringing.isOfAccount {
            switch portion.account {
            // Nobody brings others along.
            case .own where Stored.Row.kind == .reader && id != bringing.target: throw .foreign
            case .own: break
            case .others: throw .foreign
            case .facts:
                let isHere = try old == nil ? false : isAccounts(id, state, bringing)
                return try state.keepingFact(
                    line, kind: Stored.Row.kind.name, Portable.Place(id: said), isHere: isHere, bringing)
            }
        }
        try demandFree(id, old, state, bringing)
        var row = old ?? Stored.Row(Identity(id: id))
        row.take(bringing.isOfAccount ? fieldsOfAccount : fields, from: &decoder, line)
        for also in portion.also { also.decode(&decoder) }
        let times = Stored.rows.times
        row.takeTimes(created: times != .none, updated: times == .both, now: asker.now, from: &decoder)
        for (name, range) in bounds {
            guard let value = line[name.description], !value.isNull else { continue }
            if !(value.integer.map(range.contains) ?? false) {
                decoder.refuse(name, "must be \(range.lowerBound) to \(range.upperBound)")
            }
        }
        // What was there from the start was made here.
        if let old { row.createdAt = old.createdAt }
        try decoder.demandValid()
        let facts = try link(&row, line, state, bringing)
        if let old {
            guard let difference = row.difference(from: old), Stored.isBrought(over: old, bringing) else {
                return Decision([Write<Stored>(before: old, after: old)] + facts)
            }
            try demandReplaceable(old, difference, bringing)
        }
        let brought = try Stored.brought(row, over: old, state, asker, bringing)
        if !portion.unique.isEmpty {
            for case let write as Write<Stored> in brought.proposals {
                if let row = write.after { try rivals.demandNone(of: row, state) }
            }
        }
        return Decision(brought.proposals + facts, subject: brought.subject)
    }

    /// Of what has the id, only those are told who see it.
    @_semantics("optimize.sil.specialize.generic.never")
    private func demandFree(
        _ id: ResourceID, _ old: Stored.Row?, _ state: borrowing WriteState, _ bringing: Bringing
    ) throws(LecternError) {
        guard old != nil else {
            if try state.read(Stored.rows.has(id, in: state.db)) { throw .idTaken }
            return
        }
        if bringing.isOfAccount, !Stored.isShared, try !isAccounts(id, state, bringing) { throw .idTaken }
    }

    /// Whether what has an id is the reader's into whose account it comes.
    @_semantics("optimize.sil.specialize.generic.never")
    private func isAccounts(
        _ id: ResourceID, _ state: borrowing WriteState, _ bringing: Bringing
    ) throws(LecternError) -> Bool {
        guard let isOwn, let reader = try state.accountKey(bringing) else { return false }
        return try state.query { db throws(SQLiteError) in
            try db.statement(isOwn).bind(1, reader).bind(2, id).first { _ in true } ?? false
        }
    }

    @_semantics("optimize.sil.specialize.generic.never")
    private func demandReplaceable(
        _ old: Stored.Row, _ difference: Difference, _ bringing: Bringing
    ) throws(LecternError) {
        let names = difference.changed.indices.map { Stored.Row.fields.names[$0].description }.joined(separator: ", ")
        // What is in version 0 nobody has said.
        guard bringing.replaces || old.version == 0 else {
            throw .refused(.importDiffers, "This is there already, and another in: \(names). replace writes over it.")
        }
        guard Stored.isReplaceable, Stored.Row.fields.changing.isSuperset(of: difference.changed) else {
            throw .refused(
                .importDiffers, "This is there already, and another in what an import cannot change: \(names).")
        }
    }

    /// Sets the keys of what the line names. What an account says of clubs is kept beside it.
    @_semantics("optimize.sil.specialize.generic.never")
    private func link(
        _ row: inout Stored.Row, _ line: JSONValue, _ state: borrowing WriteState, _ bringing: Bringing
    ) throws(LecternError) -> [any Proposal] {
        let facts = bringing.isOfAccount ? try Stored.separate(&row, state, bringing) : []
        for link in links {
            guard case .id(let id) = link.id.cell(row) else {
                // The columns of a link take a key, an id or nothing.
                _ = link.key.put(&row, .null)
                continue
            }
            let cells = try Links.cells(link.key.name, link.name, id, in: line, state, bringing)
            // As above.
            _ = link.id.put(&row, .id(bringing.here(id)))
            // As above.
            for column in Stored.Row.fields.columns { if let cell = cells[column.name] { _ = column.put(&row, cell) } }
        }
        for also in portion.also {
            guard let cell = try also.cell(line, state, bringing) else { continue }
            // The cell is of the column's own type.
            for column in Stored.Row.fields.columns where column.name == also.column { _ = column.put(&row, cell) }
        }
        return facts
    }
}
