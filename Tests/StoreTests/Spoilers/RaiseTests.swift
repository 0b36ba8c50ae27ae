import CSQLite
import JSON
import Model
import Testing

@testable import Store

@Suite("Raising thresholds of notes")
struct ThresholdRaiseTests {
    private func raise(_ note: ResourceID, to share: Double) throws -> Command {
        .patchNote(note, try NotePatch(json("{\"opensAt\":{\"progress\":\(share)}}")))
    }

    @Test("A thread with too many replies for one change is raised from its ends")
    func bound() throws {
        let shop = try StoreFixture()
        let ada = try shop.addReader("ada")
        let (club, book) = (try shop.addClub(ada), try shop.addBook())
        let (root, answer) = (ResourceID(madeAt: .now), ResourceID(madeAt: .now))
        let draft = try NoteDraft(
            json("{\"book\":\"\(book)\",\"club\":\"\(club)\",\"position\":{\"progress\":0.1},\"body\":\"b\"}"))
        try shop.run(Command.writeNote(draft).by(ada, id: root))
        let reply = { (note: ResourceID) in try NoteDraft(json("{\"replyTo\":\"\(note)\",\"body\":\"r\"}")) }
        try shop.run(Command.writeNote(reply(root)).by(ada, id: answer))
        let pending = try (0..<1000).map { _ in
            shop.submit(Command.writeNote(try reply(answer)).by(ada, id: ResourceID(madeAt: .now)))
        }
        for answer in pending { _ = try answer.wait().get() }
        let error = #expect(throws: LecternError.self) { try shop.run(raise(root, to: 0.5).by(ada)) }
        guard case .limitReached("answersRaisedMax", 1000, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        try shop.run(raise(answer, to: 0.5).by(ada))
        try shop.run(raise(root, to: 0.5).by(ada))
        #expect(try number(shop, "SELECT count(*) FROM notes WHERE share = 550000 AND at = 500000") == 1002)
    }

    @Test("The more members may see the replies, the fewer are raised at once")
    func members() throws {
        let shop = try StoreFixture()
        let ada = try shop.addReader("ada")
        let (club, book) = (try shop.addClub(ada), try shop.addBook())
        let invitation = try InvitationDraft(json("{\"usesMax\":1000}"), now: .now)
        try shop.run(Command.createInvitation(to: club, invitation, code: "come").by(ada))
        for number in 0..<99 { try shop.run(Command.joinClub(code: "come").by(shop.addReader("reader \(number)"))) }
        let root = ResourceID(madeAt: .now)
        let draft = try NoteDraft(
            json("{\"book\":\"\(book)\",\"club\":\"\(club)\",\"position\":{\"progress\":0.1},\"body\":\"b\"}"))
        try shop.run(Command.writeNote(draft).by(ada, id: root))
        let reply = try NoteDraft(json("{\"replyTo\":\"\(root)\",\"body\":\"r\"}"))
        for _ in 0..<200 { try shop.run(Command.writeNote(reply).by(ada, id: ResourceID(madeAt: .now))) }
        try shop.run(raise(root, to: 0.5).by(ada))
        try shop.run(Command.writeNote(reply).by(ada, id: ResourceID(madeAt: .now)))
        #expect(throws: LecternError.self) { try shop.run(raise(root, to: 0.6).by(ada)) }
    }

    @Test("A shared or raised note needs one change where no member's view changes")
    func changes() throws {
        let shop = try StoreFixture()
        let ada = try shop.addReader("ada")
        let (club, book) = (try shop.addClub(ada), try shop.addBook())
        let invitation = try InvitationDraft(json("{\"usesMax\":3}"), now: .now)
        try shop.run(Command.createInvitation(to: club, invitation, code: "come").by(ada))
        for number in 0..<3 { try shop.run(Command.joinClub(code: "come").by(shop.addReader("reader \(number)"))) }
        let note = ResourceID(madeAt: .now)
        let draft = try NoteDraft(json("{\"book\":\"\(book)\",\"position\":{\"progress\":0.1},\"body\":\"b\"}"))
        try shop.run(Command.writeNote(draft).by(ada, id: note))
        let start = try number(shop, "SELECT max(seq) FROM changes")
        try shop.run(Command.patchNote(note, try NotePatch(json("{\"club\":\"\(club)\"}"))).by(ada))
        #expect(try number(shop, "SELECT max(seq) FROM changes") == start + 1)
        try shop.run(raise(note, to: 0.5).by(ada))
        #expect(try number(shop, "SELECT max(seq) FROM changes") == start + 2)
    }

    private func number(_ shop: StoreFixture, _ sql: String) throws -> Int64 {
        let connection = try Connection(path: shop.directory + "/lectern.sqlite", flags: SQLITE_OPEN_READONLY)
        return try connection.statement(once: sql).first { $0.integer(0) } ?? 0
    }
}
