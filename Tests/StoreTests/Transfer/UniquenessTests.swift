import CSQLite
import Testing

@testable import Store

@Suite("Checks of an import before the database's")
struct UniqueColumnsTests {
    @Test("Each unique index of an exported table is declared in its export policy, and no others")
    func indexes() throws {
        let connection = try SQLiteConnection(
            path: ":memory:", flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_MEMORY)
        try DatabaseSchema.migrate(connection, from: 0)
        for table in StoredTable.all {
            guard let codec = table.codec else { continue }
            let indexes = try connection.statement(
                once:
                    "SELECT name, partial FROM pragma_index_list('\(table.name)') WHERE \"unique\" = 1 AND origin <> 'pk'"
            ).all { ($0.text(0), $0.integer(1) == 1) }
            let unique = try indexes.map { name, isPartial in
                let columns = try connection.statement(once: "SELECT name FROM pragma_index_info('\(name)')")
                    .all { $0.text(0) }
                return columns.sorted().joined(separator: ",") + (isPartial ? " in a state" : "")
            }
            let given = codec.unique.map {
                $0.columns.sorted().joined(separator: ",") + ($0.state == nil ? "" : " in a state")
            }
            #expect(Set(given) == Set(unique).subtracting(["id", "key"]), "\(table.name)")
        }
    }

    @Test("A departed reader is exported where a remaining row names them")
    func departed() throws {
        let connection = try SQLiteConnection(
            path: ":memory:", flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_MEMORY)
        try DatabaseSchema.migrate(connection, from: 0)
        for table in StoredTable.all {
            guard table.codec != nil, case .nothing(let reason) = table.ofReader else { continue }
            let columns = try connection.statement(
                once: "SELECT \"from\" FROM pragma_foreign_key_list('\(table.name)') WHERE \"table\" = 'readers'"
            ).all { $0.text(0) }
            // Rows that end in others' sight name no departed reader; departures are the departed readers themselves.
            let isEnded = ["it ends", "others get an event"].contains { reason.description.hasPrefix($0) }
            guard !isEnded, table.name != "departures" else { continue }
            let known = ExportRecordCodec.named.filter { $0.table == table.name }.map(\.column)
            #expect(Set(known).isSuperset(of: columns), "\(table.name)")
        }
    }
}
