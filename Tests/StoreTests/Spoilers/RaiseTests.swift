import CSQLite
import JSON
import Model
import Testing

@testable import Store

@Suite("Raising thresholds of notes")
struct ThresholdRaiseTests {
    private func raise(_ note: ResourceID, to share: Double) throws -> Command {
        .updateNote(note, try NotePatch(json("{\"opensAt\":{\"progress\":\(share)}}")))
    }

    @Test("A thread with too many replies for one change is raised from its ends")
    func bound() throws {
        let fixture = try StoreFixture()
        let ada = try fixture.addReader("ada")
        let (club, book) = (try fixture.addClub(ada), try fixture.addBook())
        let (root, answer) = (ResourceID(madeAt: .now), ResourceID(madeAt: .now))
        let draft = try NoteDraft(
            json("{\"book\":\"\(book)\",\"club\":\"\(club)\",\"position\":{\"progress\":0.1},\"body\":\"b\"}"))
        try fixture.run(Command.createNote(draft).by(ada, id: root))
        let reply = { (note: ResourceID) in try NoteDraft(json("{\"replyTo\":\"\(note)\",\"body\":\"r\"}")) }
        try fixture.run(Command.createNote(reply(root)).by(ada, id: answer))
        let pending = try (0..<1000).map { _ in
            fixture.submit(Command.createNote(try reply(answer)).by(ada, id: ResourceID(madeAt: .now)))
        }
        for answer in pending { _ = try answer.wait().get() }
        let error = #expect(throws: RequestError.self) { try fixture.run(raise(root, to: 0.5).by(ada)) }
        guard case .exceeded(.limitReached, "answersRaisedMax", 1000, _, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        try fixture.run(raise(answer, to: 0.5).by(ada))
        try fixture.run(raise(root, to: 0.5).by(ada))
        #expect(try number(fixture, "SELECT count(*) FROM notes WHERE share = 550000 AND at = 500000") == 1002)
    }

    @Test("The more members may see the replies, the fewer are raised at once")
    func members() throws {
        let fixture = try StoreFixture()
        let ada = try fixture.addReader("ada")
        let (club, book) = (try fixture.addClub(ada), try fixture.addBook())
        let invitation = try InvitationDraft(json("{\"usesMax\":1000}"), now: .now)
        try fixture.run(Command.createInvitation(to: club, invitation, code: "come").by(ada))
        for number in 0..<99 {
            try fixture.run(Command.createMembership(code: "come").by(fixture.addReader("reader \(number)")))
        }
        let root = ResourceID(madeAt: .now)
        let draft = try NoteDraft(
            json("{\"book\":\"\(book)\",\"club\":\"\(club)\",\"position\":{\"progress\":0.1},\"body\":\"b\"}"))
        try fixture.run(Command.createNote(draft).by(ada, id: root))
        let reply = try NoteDraft(json("{\"replyTo\":\"\(root)\",\"body\":\"r\"}"))
        for _ in 0..<200 { try fixture.run(Command.createNote(reply).by(ada, id: ResourceID(madeAt: .now))) }
        try fixture.run(raise(root, to: 0.5).by(ada))
        try fixture.run(Command.createNote(reply).by(ada, id: ResourceID(madeAt: .now)))
        #expect(throws: RequestError.self) { try fixture.run(raise(root, to: 0.6).by(ada)) }
    }

    @Test("A shared or raised note needs one change where no member's view changes")
    func changes() throws {
        let fixture = try StoreFixture()
        let ada = try fixture.addReader("ada")
        let (club, book) = (try fixture.addClub(ada), try fixture.addBook())
        let invitation = try InvitationDraft(json("{\"usesMax\":3}"), now: .now)
        try fixture.run(Command.createInvitation(to: club, invitation, code: "come").by(ada))
        for number in 0..<3 {
            try fixture.run(Command.createMembership(code: "come").by(fixture.addReader("reader \(number)")))
        }
        let note = ResourceID(madeAt: .now)
        let draft = try NoteDraft(json("{\"book\":\"\(book)\",\"position\":{\"progress\":0.1},\"body\":\"b\"}"))
        try fixture.run(Command.createNote(draft).by(ada, id: note))
        let start = try number(fixture, "SELECT max(seq) FROM changes")
        try fixture.run(Command.updateNote(note, try NotePatch(json("{\"club\":\"\(club)\"}"))).by(ada))
        #expect(try number(fixture, "SELECT max(seq) FROM changes") == start + 1)
        try fixture.run(raise(note, to: 0.5).by(ada))
        #expect(try number(fixture, "SELECT max(seq) FROM changes") == start + 2)
    }

    private func number(_ fixture: StoreFixture, _ sql: String) throws -> Int64 {
        let connection = try SQLiteConnection(path: fixture.directory + "/lectern.sqlite", flags: SQLITE_OPEN_READONLY)
        return try connection.statement(once: sql).first { $0.integer(0) } ?? 0
    }
}
