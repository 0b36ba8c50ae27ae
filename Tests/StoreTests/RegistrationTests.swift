import CSQLite
import Foundation
import Migrations
import Model
import Testing

@testable import Store

/// Each list that a new resource must be in: what is left out is named here, where it does compile.
@Suite("What must be registered")
struct RegistrationTests {
    /// Kinds that have events and no rows.
    static let withoutRows: Set<ResourceKind> = [.card, .membership]

    @Test("Every kind of resource is listed, once, with its name and its fields")
    func kinds() {
        for kind in ResourceKind.allCases {
            let listed = Resources.all.filter { $0.kind == kind }
            #expect(listed.count == 1, "\(kind) is in Resources.all \(listed.count) times")
            #expect(kind.name == "\(kind)" && !kind.fieldNames.isEmpty, "\(kind)")
            #expect(kind.rawValue < 64, "the cursors of \(kind) begin with a byte of another list")
        }
    }

    @Test("Every kind of resource that has rows has a table in the list of tables")
    func tables() {
        for kind in ResourceKind.allCases {
            let count = StoredTable.all.filter { $0.resources?.kind == kind }.count
            let wanted = Self.withoutRows.contains(kind) ? 0 : 1
            #expect(count == wanted, "\(kind) has \(count) tables in StoredTable.all")
        }
    }

    /// Columns that SQL alone keeps.
    static let keptBySQL: Set<String> = ["members.moderates"]

    @Test("Every column of a resource's table is one of its fields', or of every resource's")
    func columns() throws {
        let directory = DataDirectory(path: NSTemporaryDirectory() + "lectern-test-\(UUID().uuidString)")
        try directory.make()
        defer { try? FileManager.default.removeItem(atPath: directory.path) }
        let connection = try Connection.forWriting(directory)
        for table in StoredTable.all {
            guard let kept = table.resources?.columns else { continue }
            let columns = try connection.statement(once: "SELECT name FROM pragma_table_info('\(table.name)')").all {
                $0.text(0)
            }
            for column in columns where !Self.keptBySQL.contains("\(table.name).\(column)") {
                #expect(kept.contains(column), "\(table.name).\(column) is of no field")
            }
            for column in kept { #expect(columns.contains(column), "\(table.name) has no column \(column)") }
        }
    }

    @Test("Every file of migrations/ is a step of the schema, in the order of their names")
    func migrations() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "migrations")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".sql") }
            .sorted()
        #expect(files.count == Migrations.all.count)
        for (file, step) in zip(files, Migrations.all) {
            #expect(try Array(Data(contentsOf: folder.appending(path: file))) == step, "\(file)")
        }
    }
}
