import CSQLite
import Testing

@testable import Store

@Suite("Departed readers in exports")
struct DepartedReaderExportTests {
    @Test("A departed reader is exported where a remaining row names them")
    func departed() throws {
        let connection = try SQLiteConnection(
            path: ":memory:", flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_MEMORY)
        try DatabaseSchema.migrate(connection, from: 0)
        for table in StoredTable.all {
            if case .nothing = table.export { continue }
            guard case .nothing(let reason) = table.ofReader else { continue }
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
