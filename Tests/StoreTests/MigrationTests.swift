import CSQLite
import Foundation
import Glibc
import Model
import Testing

@testable import Store

/// What a database of an older program becomes.
@Suite("Migrations")
struct MigrationTests {
    /// A database as it was after so many migrations, with these rows.
    private func database(after count: Int, _ sql: String) throws -> String {
        let directory = Shop.newDirectory()
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "migrations")
        let files = try FileManager.default.contentsOfDirectory(atPath: root.path).filter { $0.hasSuffix(".sql") }
        let connection = try Connection(
            path: directory + "/lectern.sqlite", flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
        for file in files.sorted().prefix(count) {
            try connection.execute(try String(contentsOf: root.appending(path: file), encoding: .utf8))
        }
        try connection.execute(sql)
        try connection.execute("PRAGMA user_version = \(count)")
        return directory
    }

    /// An id, as SQL, that ends in a digit.
    private func id(_ digit: Int) -> String { "x'0000000000007000800000000000000\(digit)'" }

    /// Rows of a club of Ada's with a moderator, who made an invitation, and a member, who made one when he was a moderator.
    private var club: String {
        let readers = [(1, "Ada", "administrator"), (2, "Ben", "reader"), (3, "Cem", "reader")].map {
            "INSERT INTO readers VALUES (\($0.0), \(id($0.0)), \($0.0), '\($0.1)', '\($0.2)', 0, 0);"
        }
        let members = [(1, "owner"), (2, "moderator"), (3, "member")].map {
            "INSERT INTO members VALUES (\($0.0 + 10), \(id($0.0)), 11, 1, \($0.0), 'x', '\($0.1)', NULL, 'exact', 0, 0);"
        }
        let invitations = [2, 3].map {
            "INSERT INTO invitations VALUES (\($0), \(id($0)), 12, 1, \($0), 'code \($0)', 0, 1, NULL, 0, 0);"
        }
        return readers.joined() + "INSERT INTO clubs VALUES (1, \(id(1)), 10, 'Club', NULL, 'private', 0, 0, 0, 0, 0);"
            + members.joined() + invitations.joined()
    }

    @Test("readings keep the pages that their books had, and no cursor from before stands for what looks otherwise now")
    func pages() throws {
        let rows =
            "INSERT INTO books VALUES (1, \(id(1)), 12, 12, 'Kindred', 'kindred', '[]', NULL, 300, NULL, NULL, NULL, 0, 0);"
            + "INSERT INTO readings VALUES (1, \(id(1)), 13, 1, 1, 1, 'reading', 0, NULL, NULL, NULL, NULL, 0, 0);"
            + "INSERT INTO meta VALUES ('epoch', 7);"
        let shop = try Shop(in: try database(after: 2, club + rows))
        let viewer = try shop.administrator
        #expect(shop.store.epoch.number != 7)
        let book = try #require(ResourceID("00000000-0000-7000-8000-000000000001"))
        _ = try shop.patchBook(book, #"{"pageCount": 50}"#)
        #expect(try shop.reads().reading(book)?.pageCount == 300)
        let entry = try shop.record(#"{"page": 150}"#, book, viewer)
        #expect(try shop.reads().entry(entry.id)?.progress == Progress(0.5))
    }

    @Test("an entry says what it said, in the version that it had, and a note can be made of that")
    func entryTexts() throws {
        let rows =
            "INSERT INTO books VALUES (1, \(id(1)), 12, 12, 'Kindred', 'kindred', '[]', NULL, 300, NULL, NULL, NULL, 0, 0);"
            + "INSERT INTO readings VALUES (1, \(id(1)), 13, 1, 1, 1, 'reading', 0, NULL, NULL, NULL, NULL, 0, 0);"
            + "INSERT INTO entries VALUES (\(id(5)), 1, 1, 430000, 129, 'Macondo!', NULL, 0, 0);"
        let shop = try Shop(in: try database(after: 2, club + rows))
        let reading = try #require(ResourceID("00000000-0000-7000-8000-000000000001"))
        let id = try #require(ResourceID("00000000-0000-7000-8000-000000000005"))
        let old = try #require(try shop.reads().entry(id))
        #expect(old.version == 1 && old.note == "Macondo!" && old.noteID == nil)
        #expect(!String(decoding: old.encoded(), as: UTF8.self).contains("noteId"))
        let viewer = try shop.administrator
        let note = try shop.run(Command.noteEntry(id, of: reading, EntryNoteDraft(json("{}"))).by(viewer))
        let made = try #require(try shop.reads().note(note.id, seenBy: viewer.readerKey))
        #expect(made.body == "Macondo!" && made.progress == Progress(0.43) && made.page == 129)
        let new = try #require(try shop.reads().entry(id))
        #expect(new.version == note.version + 1 && new.note == "Macondo!" && new.noteID == note.id)
    }

    @Test("every note is seen by whom it was, and those with other numbers see it where they have passed it")
    func openings() throws {
        func note(_ key: Int, _ position: String) -> String {
            "INSERT INTO notes VALUES (\(key), \(id(key)), \(key), 1, 1, 1, NULL, \(position), NULL, 'b', '{}', 0, 0);"
        }
        let rows =
            "INSERT INTO books VALUES (1, \(id(1)), 2, 2, 'Kindred', 'kindred', '[]', NULL, 300, NULL, NULL, NULL, 0, 0);"
            + note(4, "NULL") + note(5, "0") + note(6, "430000") + note(7, "980000")
            + "INSERT INTO reach VALUES (2, 1, 3, 8, 500000), (2, 1, 8, 9223372036854775807, 100000), (3, 1, 8, 9223372036854775807, 429999);"
        let directory = try database(after: 2, club + rows)
        let shop = try Shop(in: directory)
        func seen(by reader: Int64) throws -> [Int64] {
            try shop.reads().notes(of: 1, seenBy: reader, NoteFilter(), after: nil, limit: 100).items.map(\.key)
                .sorted()
        }
        #expect(try seen(by: 1) == [4, 5, 6, 7])
        #expect(try seen(by: 2) == [4, 5, 6])
        #expect(try seen(by: 3) == [4, 5])
        let connection = try Connection(path: directory + "/lectern.sqlite", flags: SQLITE_OPEN_READONLY)
        let openings = try connection.statement(
            "SELECT ifnull(frame, 0), ifnull(frame_at, 0), opens_at FROM notes ORDER BY key"
        )
        .all { [$0.integer(0), $0.integer(1), $0.integer(2)] }
        #expect(openings == [[0, 0, 0], [0, 0, 0], [1, 430_000, 480_000], [1, 980_000, 1_000_000]])
    }

    @Test("the invitations of who may make none any more have ended, the others still open the door")
    func invitations() throws {
        let told = [2, 3].map {
            """
            INSERT INTO changes VALUES (\($0 - 1), 1, 0, 10, \(id($0)), \($0), 0, 1,
                '{"id":"00000000-0000-7000-8000-00000000000\($0)","version":\($0 - 1)}', NULL);
            """
        }
        let directory = try database(after: 2, club + told.joined())
        #expect(try Store.check(directory: directory) == [])
        let shop = try Shop(in: directory)
        let left = try shop.reads().invitations(to: 1, after: nil, limit: 10).items
        #expect(left.map { "\($0.maker)".last } == ["2"])
        let viewer = Viewer(
            reader: try #require(ResourceID("00000000-0000-7000-8000-000000000003")), readerKey: 3, role: .reader,
            access: .write, token: nil, expiresAt: nil)
        func join(_ code: String) -> Result<Outcome, LecternError> {
            shop.submit(Command.joinClub(code: code).by(viewer)).wait()
        }
        #expect(throws: LecternError.self) { try join("code 3").get() }
        #expect(try join("code 2").get().effect == .unchanged)
        shop.store.close()
        #expect(
            try Store.check(directory: directory).filter { $0.contains("invitations") && $0.contains("nowhere") } == [])
    }
}
