import JSON
import Model

/// Rows of what was held true of editions when something was said in them: see `Believed`.
enum MeasureTable {
    /// That of an edition; nil while nothing was said in it.
    static func find(_ edition: Int64, in connection: Connection) throws(SQLiteError) -> Believed? {
        try connection.statement("SELECT believed FROM measures WHERE edition = ?1").bind(1, edition)
            .first { $0.optionalText(0).flatMap { Believed(cell: .text($0)) } } ?? nil
    }

    /// It is measured by something else now, and nothing is there that was said in it.
    static func forget(_ edition: Int64, in connection: Connection) throws(SQLiteError) {
        try connection.statement("DELETE FROM measures WHERE edition = ?1").bind(1, edition).run()
    }
}

/// That is held true of an edition from now on, beside all that was: kept, but no change that anybody watches.
struct Believe: Proposal {
    let edition: Int64
    let believed: Believed

    func apply(to application: inout Application, _ moment: Moment) throws(SQLiteError) -> Outcome? {
        try application.connection.statement("INSERT OR REPLACE INTO measures (edition, believed) VALUES (?1, ?2)")
            .bind(1, edition).bind(2, believed.cell).run()
        application.noteSilentWrite()
        return .silentlyCreated
    }
}

extension Scale {
    /// What follows for its edition when so much of it is said.
    func believing(_ placed: Placed?) -> [any Proposal] {
        guard placed?.part != nil, isNews, let edition, let believed else { return [] }
        return [Believe(edition: edition.key, believed: believed)]
    }
}

/// What was held true of editions goes along with what was said in them.
extension RecordCodec {
    static let measures = RecordCodec(
        kind: "measure",
        whole: SQL(
            "SELECT editions.id, believed FROM measures JOIN editions ON editions.key = edition ORDER BY edition"),
        write: { statement, _, json in
            json.name("edition")
            json.id(statement.id(0))
            json.name("believed")
            json.raw(statement.bytes(1) ?? [])
        },
        read: { line, state, _, context throws(LecternError) in
            var decoder = ObjectDecoder(line)
            // The member was read before to choose this codec.
            _ = decoder.value("kind")
            let id = decoder.id("edition")
            // The member is decoded below.
            _ = decoder.value("believed")
            try decoder.demandValid()
            guard let believed = line["believed"].flatMap({ Believed(json: $0) }) else {
                throw .invalid([Violation(pointer: "/believed", detail: "is nothing that a measure can be")])
            }
            guard
                let edition = try id.flatMap({ id throws(LecternError) in
                    try state.read(EditionTable.find(id, in: state.db))
                })
            else { throw .unknown("edition") }
            let old = try state.read(MeasureTable.find(edition.key, in: state.db))
            let new = old?.and(believed) ?? believed
            return Decision(new == old ? [] : [Believe(edition: edition.key, believed: new)])
        })
}
