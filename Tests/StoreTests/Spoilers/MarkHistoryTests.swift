import CSQLite
import JSON
import Model
import SharedByTests
import Testing

@testable import Store

@Suite("The history of marks", .serialized, .ownThreads)
struct MarkHistoryTests {
    private func number(_ fixture: StoreFixture, _ sql: String) throws -> Int64 {
        let connection = try SQLiteConnection(path: fixture.directory + "/lectern.sqlite", flags: SQLITE_OPEN_READONLY)
        return try connection.statement(once: sql).first { $0.integer(0) } ?? 0
    }

    @Test("Marks keep no intervals that ended before the log begins")
    func trimmed() throws {
        var configuration = StoreFixture.configuration
        configuration.retentionCountMax = 10
        let fixture = try StoreFixture(configuration)
        let ada = try fixture.addReader("ada")
        _ = try fixture.addClub(ada)
        let reading = try fixture.createReading(try fixture.addBook(), ada)
        func cycle() throws {
            let entry = try fixture.record(#"{"progress": 0.5}"#, reading, ada).id
            _ = try fixture.deleteEntry(entry, reading, ada)
        }
        for _ in 0..<50 { try cycle() }
        #expect(try number(fixture, "SELECT count(*) FROM marks") > 90)
        let reads = try fixture.reads()
        #expect(try eventually { try reads.head() - reads.floor() == 10 })
        try cycle()
        #expect(try number(fixture, "SELECT count(*) FROM marks") < 20)
        #expect(try Store.checkOpen(fixture).isEmpty)
    }

    @Test("The end of a club hides no note from its members one by one")
    func endOfClub() throws {
        let fixture = try StoreFixture()
        let ada = try fixture.addReader("ada")
        let (club, book) = (try fixture.addClub(ada), try fixture.addBook())
        let invitation = try InvitationDraft(json("{\"usesMax\":10}"), now: .now)
        try fixture.run(Command.createInvitation(to: club, invitation, code: "come").by(ada))
        for name in ["ben", "cem", "dora"] {
            let member = try fixture.addReader(name)
            try fixture.run(Command.createMembership(code: "come").by(member))
            _ = try fixture.record(#"{"progress": 0.9}"#, fixture.createReading(book, member), member)
        }
        let draft = try NoteDraft(
            json("{\"book\":\"\(book)\",\"club\":\"\(club)\",\"position\":{\"progress\":0.5},\"body\":\"b\"}"))
        for _ in 0..<40 { try fixture.run(Command.createNote(draft).by(ada, id: ResourceID(madeAt: .now))) }
        _ = fixture.takeChanges()
        try fixture.run(Command.deleteClub(club).by(ada))
        #expect(!fixture.takeChanges().contains { $0.kind == .note })
        #expect(try number(fixture, "SELECT count(*) FROM marks WHERE value > 0 AND until = \(Int64.max)") == 0)
        #expect(try Store.checkOpen(fixture).isEmpty)
    }
}
