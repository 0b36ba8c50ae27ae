import CSQLite
import Foundation
import Model
import SharedByTests
import Testing

@testable import Store

/// Tests of each list that a new resource must be in. They name omissions that compile.
@Suite("Lists of kinds and tables")
struct RegistrationTests {
    /// The kinds that have events and no rows.
    static let withoutRows: Set<ResourceKind> = [.card, .membership, .stream]

    @Test("Every kind of resource has its own number, a name and fields")
    func kinds() {
        for kind in ResourceKind.allCases {
            let listed = Resources.all.filter { $0.kind == kind }
            #expect(listed.count == 1, "\(listed) have the same number")
            let named = ResourceKind.allCases.filter { $0.name == kind.name && $0 != kind }
            #expect(named.isEmpty || kind.name == "standing", "\(kind) is the name of two kinds")
            #expect(!kind.name.isEmpty && !kind.fieldNames.isEmpty, "\(listed)")
            #expect(kind.rawValue < 64, "the cursors of \(kind) begin with a byte of another list")
        }
    }

    @Test("Every kind of resource with rows has a table in the list of tables")
    func tables() {
        for kind in StoredTable.all.compactMap({ $0.resource?.kind }) {
            #expect(ResourceKind.allCases.contains(kind), "the kind \(kind.rawValue) is not in Resources")
        }
        for kind in ResourceKind.allCases {
            let count = StoredTable.all.filter { $0.resource?.kind == kind }.count
            let wanted = Self.withoutRows.contains(kind) ? 0 : 1
            #expect(count == wanted, "\(kind) has \(count) tables in StoredTable.all")
        }
    }

    /// The columns that only SQL maintains.
    static let keptBySQL: Set<String> = [
        "members.moderates", "members.role_since", "books.reader_count", "readers.has_left", "notes.to_moderators",
        "notes.to_club",
    ]

    private static func ownColumns<Stored: ResourceTable>(of _: Stored.Type) -> Set<String> { Stored.rows.ownColumns }

    @Test("Every column of a resource's table belongs to a field, or to every resource")
    func columns() throws {
        try Self.withSchema { connection in
            for table in StoredTable.all {
                guard let kept = table.resource.map({ Self.ownColumns(of: $0) }) else { continue }
                let columns = try connection.statement(once: "SELECT name FROM pragma_table_info('\(table.name)')").all
                {
                    $0.text(0)
                }
                for column in columns where !Self.keptBySQL.contains("\(table.name).\(column)") {
                    #expect(kept.contains(column), "\(table.name).\(column) is of no field")
                }
                for column in kept { #expect(columns.contains(column), "\(table.name) has no column \(column)") }
            }
        }
    }

    /// The tables whose rows stay when their club ends: they become their reader's own again (`ResourceTable.ends`).
    static let outlivesClub: Set<String> = ["shelves"]

    @Test(
        "Tables that refer to books count as use of them, and tables that refer to clubs end with them"
    )
    func ends() throws {
        try Self.withSchema { connection in
            let endsWithClub = Set(["clubs"] + StoredTable.all.filter { $0.ofClubOrBook.club != nil }.map(\.name))
            for table in StoredTable.all {
                let refersTo = try connection.statement(
                    once: "SELECT \"table\" FROM pragma_foreign_key_list('\(table.name)')"
                ).all { $0.text(0) }
                let isUse = table.ofClubOrBook.book != nil || !refersTo.contains("books")
                #expect(isUse, "\(table.name) refers to books and has no book in StoredTable.all")
                let ends = endsWithClub.isDisjoint(with: refersTo) || table.ofClubOrBook.club != nil
                #expect(
                    ends || Self.outlivesClub.contains(table.name),
                    "\(table.name) refers to \(refersTo) and has no club in StoredTable.all")
            }
        }
    }

    /// A table with a column for a reader may say that no row belongs to a reader only because its rows belong to the
    /// server.
    @Test("Every table with a column for a reader says what happens to its rows when the reader leaves")
    func endsOfReader() throws {
        try Self.withSchema { connection in
            for table in StoredTable.all {
                let refersTo = try connection.statement(
                    once: """
                        SELECT "table" FROM pragma_foreign_key_list('\(table.name)') WHERE "table" = 'readers'
                        UNION ALL SELECT name FROM pragma_table_info('\(table.name)') WHERE name = 'reader'
                        """
                ).all { $0.text(0) }
                guard !refersTo.isEmpty, case .nothing(let reason) = table.ofReader else { continue }
                #expect("\(reason)" != "its rows belong to no reader", "\(table.name) has rows of readers")
            }
        }
    }

    private static func withSchema(_ body: (SQLiteConnection) throws -> Void) throws {
        let directory = DataDirectory(path: TestDirectory.memory.path("test"))
        try directory.make()
        defer { try? FileManager.default.removeItem(atPath: directory.path) }
        try body(try SQLiteConnection.forWriting(directory))
    }

    @Test("Every file of migrations/ is a step of the schema, in the order of their names")
    func migrations() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "migrations")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".sql") }
            .sorted()
        #expect(files.count >= Migrations.all.count)
        for (index, file) in files.enumerated() {
            let isStep =
                try Migrations.all.indices.contains(index)
                && Array(Data(contentsOf: folder.appending(path: file))) == Migrations.all[index]
            #expect(isStep, "\(file) is not step \(index + 1) in Migrations.all")
        }
    }
}
