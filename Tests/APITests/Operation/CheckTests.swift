import CSQLite
import Foundation
import JSON
import SharedByTests
import Testing

@testable import Store

@Suite("The check of everything that is stored")
struct CheckTests {
    /// A manual change to the database, and the table in which the check finds it.
    struct Tampering: Sendable, CustomTestStringConvertible {
        let table: String
        let sql: String
        var testDescription: String { sql }
        init(_ table: String, _ sql: String) { (self.table, self.sql) = (table, sql) }
    }

    /// At least one change for each table. The check finds a deleted row except where no other row refers to it. Keys
    /// and marks expire, and the names of readers who left occur nowhere else.
    static let tamperings: [Tampering] = [
        .init("meta", "DELETE FROM meta WHERE name = 'epoch'"), .init("meta", "UPDATE meta SET value = -1"),
        .init("readers", "UPDATE readers SET name = 'Eve' WHERE name = 'Ben'"),
        .init("readers", "DELETE FROM readers WHERE name = 'Ben'"),
        .init("readers", "UPDATE sqlite_sequence SET seq = 0 WHERE name = 'readers'"),
        .init("readers", "UPDATE readers SET has_left = 1 WHERE name = 'Ben'"),
        .init(
            "readers", "UPDATE readers SET suspension = '{\"since\":\"2026-01-01T00:00:00.000Z\"}' WHERE name = 'Ben'"),
        .init(
            "blocks",
            """
            INSERT INTO blocks (id, version, owner, blocked, name, created_at) SELECT zeroblob(16), 1, key, 1, 'x', 0 FROM readers
            WHERE name = 'Ben'
            """),
        .init(
            "hidden_authors",
            "INSERT INTO hidden_authors SELECT key, 1, key, 1, \(Int64.max) FROM readers WHERE name = 'Ben'"),
        .init(
            "reports",
            """
            INSERT INTO reports (id, version, reporter, about, subject, reason, created_at, updated_at)
            SELECT zeroblob(16), 1, key, 'note', zeroblob(16), 'spam', 0, 0 FROM readers WHERE name = 'Ben'
            """),
        .init("guardianships", "INSERT INTO guardianships VALUES (77, 78)"),
        .init("departures", "INSERT INTO departures SELECT key, 1, 0 FROM readers WHERE name = 'Ben'"),
        .init("tokens", "UPDATE tokens SET access = 'read'"),
        .init("tokens", "DELETE FROM tokens WHERE key = (SELECT max(key) FROM tokens)"),
        .init("books", "UPDATE books SET title = 'Emma'"), .init("books", "UPDATE books SET authors = '[\"A'"),
        .init("books", "UPDATE books SET card_version = 0"), .init("books", "UPDATE books SET sort_title = 'x'"),
        .init("books", "UPDATE books SET sort_author = 'x'"),
        .init("books", "DELETE FROM books"),
        .init("books", "UPDATE books SET cover_digest = hex(zeroblob(21)) || 'x'"),
        .init("covers", "INSERT INTO covers SELECT key, zeroblob(9) FROM books LIMIT 1"),
        .init("books_words", "UPDATE books_words SET title = 'emma'"), .init("books_words", "DELETE FROM books_words"),
        .init(
            "streams",
            """
            INSERT INTO streams (id, version, reader, digest, watch, heartbeat, debounce, lease,
                created_at, updated_at)
            SELECT randomblob(16), 1, key, randomblob(32), '{', 15, 500, 120, 0, 0 FROM readers
            """),
        .init("books_words", "INSERT INTO books_words (rowid, title) VALUES (77, 'x')"),
        .init("words", "DELETE FROM words"), .init("words", "UPDATE words SET part = part + 1"),
        .init("words", "DELETE FROM words WHERE part = (SELECT max(part) FROM words)"),
        .init("readings", "UPDATE readings SET progress = 7"),
        .init("readings", "UPDATE readings SET latest_entry = NULL"),
        .init("readings", "DELETE FROM readings"),
        .init("entries", "UPDATE entries SET progress = 7"), .init("entries", "UPDATE entries SET reading = 77"),
        .init("entries", "DELETE FROM entries"),
        .init("entries", "UPDATE entries SET amount = amount + 1 WHERE amount IS NOT NULL"),
        .init("entries", "UPDATE entries SET scale = 77 WHERE scale IS NOT NULL"),
        .init("entries", "UPDATE entries SET chapters = 77 WHERE chapters IS NOT NULL"),
        .init("readings", "UPDATE readings SET edition = zeroblob(16)"),
        .init("readings", "UPDATE readings SET started_at = 7, finished_at = 6"),
        .init("knowledge", "UPDATE knowledge SET progress = 7"), .init("knowledge", "DELETE FROM knowledge"),
        .init("knowledge", "UPDATE knowledge SET scale = 77"),
        .init("knowledge", "UPDATE knowledge SET through = NULL"),
        .init("knowledge", "UPDATE knowledge SET reader = 1"),
        .init("ratings", "UPDATE ratings SET stars = 7"), .init("ratings", "DELETE FROM ratings"),
        .init("ratings", "UPDATE ratings SET id = zeroblob(16)"), .init("ratings", "UPDATE ratings SET reader = 1"),
        .init("ratings", "DELETE FROM notes WHERE id = (SELECT note_id FROM ratings)"),
        .init("editions", "UPDATE editions SET length = 500000"), .init("editions", "DELETE FROM editions"),
        .init("chapters", "UPDATE chapters SET chapters = '[{\"share\":0}]'"),
        .init("chapters", "DELETE FROM chapters"),
        .init("chapters", "UPDATE chapters SET key = 77"),
        .init("editions", "UPDATE editions SET anchors = '[10]' WHERE anchors IS NOT NULL"),
        .init("editions", "UPDATE editions SET anchors = NULL"),
        .init("scales", "UPDATE scales SET name = 'miles ' || key"), .init("scales", "DELETE FROM scales"),
        .init("scales", "UPDATE scales SET book = 77"),
        .init("deleted_readings", "INSERT INTO deleted_readings SELECT key FROM readings"),
        .init("deleted_readings", "INSERT INTO deleted_readings VALUES (77)"),
        .init("changes", "DELETE FROM changes WHERE seq = 4"), .init("changes", "UPDATE changes SET command = seq + 1"),
        .init("changes", "UPDATE changes SET value = CAST(x'7BFF7D' AS TEXT) WHERE seq = 4"),
        .init("changes", "UPDATE changes SET value = '{' WHERE seq = 4"),
        .init("changes", "UPDATE changes SET before = '{\"version\":1}' WHERE operation = 3"),
        .init(
            "changes",
            "UPDATE changes SET before = json_set(before, '$.progress', 0.777) WHERE typeof(before) = 'text' AND operation = 2"
        ),
        .init("changes", "UPDATE changes SET before = zeroblob(3) WHERE kind = 4 AND operation = 2"),
        .init("changes", "UPDATE changes SET value = x'F0' WHERE kind = 5"),
        .init("changes", "UPDATE changes SET value = substr(value, 1, length(value) - 1) WHERE kind = 5"),
        .init("changes", "UPDATE changes SET before = '{' WHERE operation = 2"),
        .init("changes", "UPDATE changes SET kind = 99 WHERE seq = 4"),
        .init("changes", "UPDATE changes SET scope = 0 WHERE scope > 0"),
        .init("changes", "UPDATE changes SET scope = 0 WHERE scope < 0"),
        .init("changes", "UPDATE changes SET scope = scope + 1 WHERE scope > 0"),
        .init("changes", "UPDATE changes SET scope = scope - 1 WHERE scope < 0"),
        .init("changes", "UPDATE changes SET scope = scope + 1 WHERE kind = 4"),
        .init("changes", "UPDATE changes SET scope = 1 WHERE kind = 11"),
        .init("changes", "UPDATE changes SET scope = 1 WHERE kind = 19 AND scope > 0"),
        .init("changes", "UPDATE changes SET scope = scope + 1 WHERE operation = 2 AND scope > 0"),
        .init("changes", "UPDATE changes SET reader = 0 WHERE reader = -1"),
        .init("changes", "UPDATE changes SET reader = 1 WHERE seq = 4"),
        .init("changes", "UPDATE changes SET operation = 2, before = value WHERE seq = 4"),
        .init("changes", "UPDATE changes SET at = at - 86400000 WHERE seq = 4"),
        .init("changes", "UPDATE changes SET at = at + 86400000 WHERE command < seq"),
        .init(
            "changes",
            """
            INSERT INTO changes SELECT seq + 1, seq + 1, at, kind, resource, scope, reader, operation, value, before
            FROM changes ORDER BY seq DESC LIMIT 1
            """),
        .init("idempotency_keys", "UPDATE idempotency_keys SET value = 'x'"),
        // Columns with JSON: of resources, of a resource whose JSON is kept as received, and of the log.
        .init("books", "UPDATE books SET authors = '[' WHERE authors <> '['"),
        .init("readers", "UPDATE readers SET suspension = '{' WHERE name = 'Ben'"),
        .init("notes", "UPDATE notes SET opens_at = 'x' WHERE body IS NOT NULL"),
        .init("scenes", "UPDATE scenes SET value = 'x'"),
        .init(
            "changes", "UPDATE changes SET value = '{' WHERE seq = (SELECT max(seq) FROM changes WHERE value <> '{}')"),
        .init("changes", "UPDATE changes SET before = '{' WHERE typeof(before) = 'text'"),
        .init("idempotency_keys", "UPDATE idempotency_keys SET resource = zeroblob(16)"),
        .init("clubs", "UPDATE clubs SET name = 'Mondays'"), .init("clubs", "DELETE FROM clubs"),
        .init("clubs", "DELETE FROM sqlite_sequence WHERE name = 'clubs'"),
        .init("members", "UPDATE members SET role = 'owner', moderates = key"),
        .init("members", "UPDATE members SET moderates = 1"),
        .init("members", "UPDATE members SET role_since = 1"),
        .init("members", "DELETE FROM members WHERE role = 'member'"),
        .init("invitations", "UPDATE invitations SET uses = 0"), .init("invitations", "DELETE FROM invitations"),
        .init("notes", "UPDATE notes SET body = 'x'"), .init("notes", "UPDATE notes SET share = 7"),
        .init("notes", "UPDATE notes SET reply_count = 7"), .init("notes", "DELETE FROM notes"),
        .init("notes_words", "UPDATE notes_words SET body = 'x'"), .init("notes_words", "DELETE FROM notes_words"),
        .init("marks", "UPDATE marks SET value = value + 1 WHERE until > 1000000"),
        .init("marks", "UPDATE marks SET until = until - 1"), .init("marks", "DELETE FROM marks"),
        .init("marks", "INSERT INTO marks SELECT key, 0, -1, 1, 1, \(Int64.max), 0 FROM readers WHERE name = 'Ben'"),
        .init("reactions", "UPDATE reactions SET reaction = 'sad'"), .init("reactions", "DELETE FROM reactions"),
        .init("runs", "UPDATE runs SET place = 77"), .init("runs", "DELETE FROM runs"),
        .init("milestones", "UPDATE milestones SET progress = 7"), .init("milestones", "DELETE FROM milestones"),
        .init("standings", "UPDATE standings SET progress = 7"), .init("standings", "DELETE FROM standings"),
        .init("standings", "UPDATE standings SET reading = zeroblob(16)"),
        .init("standings", "UPDATE standings SET name = 'x'"),
        .init("moderator_standings", "UPDATE moderator_standings SET progress = 7"),
        .init("moderator_standings", "UPDATE moderator_standings SET reading = zeroblob(16)"),
        .init("moderator_standings", "DELETE FROM moderator_standings"),
        .init("bulk_changes", "INSERT INTO bulk_changes VALUES (77, 0, 'title', 0, 1)"),
        .init("meetings", "UPDATE meetings SET starts_at = 7"), .init("meetings", "DELETE FROM meetings"),
        .init("attendances", "UPDATE attendances SET answer = 'maybe'"),
        .init("attendances", "DELETE FROM attendances"),
        .init("calendars", "UPDATE calendars SET created_at = 7"), .init("calendars", "DELETE FROM calendars"),
        .init("listings", "UPDATE listings SET name = 'x'"), .init("listings", "DELETE FROM listings"),
        .init("join_requests", "UPDATE join_requests SET name = 'x'"),
        .init("join_requests", "DELETE FROM join_requests"),
        .init("shelves", "UPDATE shelves SET name = 'x' WHERE version > 0"),
        .init("shelves", "UPDATE shelves SET reader = 1 WHERE version > 0"),
        .init("shelf_books", "UPDATE shelf_books SET place = 7"), .init("shelf_books", "DELETE FROM shelf_books"),
        .init("settings", "UPDATE settings SET presence = 1 - presence WHERE version > 0"),
        .init("settings", "UPDATE settings SET version = 0 WHERE version > 0"),
        .init("settings", "DELETE FROM settings WHERE version = 0"),
        .init("scenes", "UPDATE scenes SET value = '{'"), .init("scenes", "UPDATE scenes SET device = 'x'"),
        .init("scenes", "DELETE FROM scenes"), .init("scenes", "UPDATE scenes SET reader = 1"),
        .init("claims", "UPDATE claims SET kind = 99"), .init("claims", "UPDATE claims SET reader = 1"),
        .init("removals", "UPDATE removals SET is_banned = 1"), .init("removals", "DELETE FROM removals"),
        .init("former_members", "UPDATE former_members SET reader = (SELECT reader FROM members)"),
        .init("accounts", "INSERT INTO accounts (reader, name, folded) VALUES (77, 'x', 'x')"),
        .init("identities", "INSERT INTO identities VALUES ('https://x', 'x', 77, 0)"),
        .init(
            "links",
            """
            INSERT INTO links (id, version, kind, maker, digest, expires_at, created_at, updated_at)
            SELECT randomblob(16), 1, 'invitation', key, randomblob(32), 0, 0, 0 FROM readers
            """),
        .init("clock_marks", "INSERT INTO clock_marks (time, seq, wall) VALUES (7, 1000000, 7)"),
    ]

    /// The bytes of a database with a row in each table that requests can fill.
    private static let database: Result<Data, any Error> = Result {
        let story = try ClubStory(club: ",\"visibility\":\"listed\"")
        let (service, club) = (story.service, "/v1/clubs/\(story.club)")
        let other = try service.reader("Cleo")
        let asked = try service.reader("Dora")
        try story.join(other)
        try story.remove(other)
        _ = try service.make("/v1/requests", "{\"club\":\"\(story.club)\"}", token: asked)
        let gone = try service.make("/v1/books", "{\"title\":\"Dawn\"}")
        #expect(try service.send("DELETE", "/v1/books/\(gone)").status == 204)
        try story.choose()
        _ = try story.milestone("0.5", due: "2090-01-01T18:00:00Z")
        try story.createStanding(sharing: "exact")
        let apart = try service.send(
            "PATCH", "\(club)/members/\(story.benID)", "{\"sharesWithModerators\":\"exact\"}", token: story.ben)
        #expect(apart.status == 200, "\(apart.text)")
        let note = try story.note("0.2")
        _ = try story.read("0.3")
        let key = ["Idempotency-Key: k"]
        let entry = try service.send(
            "POST", "/v1/readings/\(story.reading)/entries", "{\"progress\":0.4}", token: story.ben, fields: key)
        #expect(entry.status == 201)
        #expect(try service.send("PUT", "/v1/notes/\(note)/reactions/love", token: story.ben).status == 200)
        let edition = try service.make("/v1/books/\(story.book)/editions", EditionTests.paper, token: story.ben)
        let chapters = "{\"chapters\":[{},{}]}"
        #expect(
            try service.send("PUT", "/v1/books/\(story.book)/chapters", chapters, token: story.ben).status == 201)
        let anchors = "{\"anchors\":[10,200]}"
        #expect(try service.send("PATCH", "/v1/editions/\(edition)", anchors, token: story.ben).status == 200)
        _ = try service.make(
            "/v1/readings/\(story.reading)/entries", "{\"position\":{\"page\":200,\"edition\":\"\(edition)\"}}",
            token: story.ben)
        let known = "{\"through\":{\"page\":30,\"edition\":\"\(edition)\"}}"
        let knowledge = try service.send("PUT", "/v1/books/\(story.book)/knowledge", known, token: story.ben)
        #expect(knowledge.status == 201, "\(knowledge.text)")
        let review = try service.make(
            "/v1/notes", "{\"book\":\"\(story.book)\",\"body\":\"good\"}", token: story.ben)
        let rating = try service.send(
            "PUT", "/v1/readings/\(story.reading)/rating", "{\"stars\":4.5,\"noteId\":\"\(review)\"}",
            token: story.ben)
        #expect(rating.status == 201, "\(rating.text)")
        let meeting = try story.meeting()
        let answer = try service.send(
            "PUT", "\(club)/meetings/\(meeting)/attendance", "{\"answer\":\"yes\"}", token: story.ben)
        #expect(answer.status == 201, "\(answer.text)")
        #expect(try service.send("POST", "\(club)/calendars", token: story.ben).status == 201)
        let shelf = OwnIDTests.id
        let own = try service.send("PUT", "/v1/shelves/\(shelf)", "{\"name\":\"Sea\"}", token: story.ben)
        #expect(own.status == 201, "\(own.text)")
        let put = try service.send("PUT", "/v1/shelves/\(shelf)/books/\(story.book)", "{}", token: story.ben)
        #expect(put.status == 201, "\(put.text)")
        let shared = try service.send("PATCH", "/v1/settings", "{\"presence\":true}", token: story.ben)
        #expect(shared.status == 200, "\(shared.text)")
        let kept = try service.send("PUT", "/v1/scenes/phone/draft", "{\"value\":[1.0]}", token: story.ben)
        #expect(kept.status == 201, "\(kept.text)")
        service.stop()
        return try Data(contentsOf: URL(filePath: service.directory + "/lectern.sqlite"))
    }

    private func check(_ sql: String?, isOfSchema: Bool = false) throws -> [String] {
        let directory = TestDirectory.memory.path("check")
        defer { try? FileManager.default.removeItem(atPath: directory) }
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        let path = directory + "/lectern.sqlite"
        try Self.database.get().write(to: URL(filePath: path))
        if let sql {
            let connection = try SQLiteConnection(path: path, flags: SQLITE_OPEN_READWRITE)
            try connection.execute("PRAGMA ignore_check_constraints = ON")
            try connection.execute(sql)
            #expect(isOfSchema || sqlite3_total_changes(connection.handle) > 0, "there is nothing to tamper with")
        }
        return try Store.check(directory: directory)
    }

    @Test("A database that requests wrote has no findings")
    func sound() throws { #expect(try check(nil) == []) }

    @Test("The check finds changes and deletions by hand", arguments: tamperings)
    func tampered(_ tampering: Tampering) throws {
        let findings = try check(tampering.sql)
        #expect(!findings.isEmpty)
    }

    @Test(
        "The check finds a schema that differs from its version's",
        arguments: [
            "CREATE TRIGGER t AFTER INSERT ON entries BEGIN DELETE FROM notes; END", "CREATE VIEW v AS SELECT 1",
            "CREATE TABLE t (a)", "CREATE INDEX i ON books (title)", "DROP INDEX runs_current",
            "DROP INDEX join_requests_waiting", "DROP TABLE former_members", "ALTER TABLE notes ADD COLUMN a TEXT",
            "DROP INDEX books_isbn; CREATE INDEX books_isbn ON books (isbn)", "PRAGMA user_version = 1",
            "PRAGMA user_version = \(DatabaseSchema.newest - 1)", "PRAGMA application_id = 0",
        ])
    func schema(sql: String) throws {
        let findings = try check(sql, isOfSchema: true)
        #expect(findings.contains { $0.hasPrefix("schema: ") })
    }

    @Test("The list of tables is the schema's, and the tests change each table")
    func tables() throws {
        let directory = TestDirectory.memory.path("check")
        defer { try? FileManager.default.removeItem(atPath: directory) }
        try Store.open(directory: directory).close()
        let connection = try SQLiteConnection(path: directory + "/lectern.sqlite", flags: SQLITE_OPEN_READWRITE)
        let names = try connection.statement(
            once: """
                SELECT name FROM pragma_table_list WHERE schema = 'main' AND type IN ('table', 'virtual')
                AND name NOT LIKE 'sqlite_%'
                """
        ).all { $0.text(0) }
        #expect(Set(names).symmetricDifference(StoredTable.all.map(\.name)).sorted() == [])
        #expect(StoredTable.all.count == names.count)
        #expect(Set(names).symmetricDifference(Self.tamperings.map(\.table)).sorted() == [])
    }
}
