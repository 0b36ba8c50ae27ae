import CSQLite
import JSON
import Model
import Testing

@testable import Store

@Suite("Notes hidden by blocks")
struct HidingTests {
    /// Ada's club with Ben and Cem, and Cem's notes in it.
    private struct Club {
        let fixture: StoreFixture
        let ada: Viewer
        let ben: Viewer
        let cem: Viewer
        let club: ResourceID
        let book: ResourceID

        init() throws {
            fixture = try StoreFixture()
            (ada, ben, cem) = (try fixture.addReader("ada"), try fixture.addReader("ben"), try fixture.addReader("cem"))
            club = try fixture.addClub(ada)
            book = try fixture.addBook()
            for viewer in [ben, cem] { try join(viewer) }
        }

        func join(_ viewer: Viewer) throws {
            let draft = try InvitationDraft(json("{}"), now: .now)
            let code = "code-\(ResourceID(madeAt: .now))"
            try fixture.run(Command.createInvitation(to: club, draft, code: code).by(ada))
            try fixture.run(Command.createMembership(code: code).by(viewer))
        }

        func seen(by viewer: Viewer) throws -> [String] {
            let reads = try fixture.reads()
            guard let (club, _) = try reads.club(club, of: viewer.readerKey) else { return [] }
            return try reads.notes(
                of: club.key, seenBy: viewer.readerKey, NoteFilter(), after: nil, limit: 100
            ).items.map(\.body)
        }

        /// Returns a reader's note events after a position in the log.
        func received(_ viewer: Viewer, after: Int64) throws -> [String] {
            let reads = try fixture.reads()
            let head = try reads.head()
            let rows = try reads.visibleRows(after: after, through: head, seenBy: viewer.readerKey, limit: 1000)
            return try rows.flatMap {
                $0.operation.isVisibilityChange ? try reads.visibilityChanges(in: $0).changes : [$0]
            }
            .filter { $0.kind == .note }.map { change in
                let value = (change.value ?? change.before).flatMap { ResourceRepresentation($0) }
                return "\(change.operation.name) \(value?["body"]?.string ?? "")"
            }
        }
    }

    @Test("A block is one row of the log for many notes, and replays know the state at each change")
    func rows() throws {
        let club = try Club()
        let fixture = club.fixture
        let start = try fixture.reads().head()
        for number in 0..<40 { try fixture.addNote(club.book, club.club, "c\(number)", club.cem) }
        _ = fixture.takeChanges()
        try fixture.run(Command.putBlock(club.cem.reader).by(club.ben))
        let rows = fixture.takeChanges()
        #expect(rows.map(\.summary) == ["block created", "note hidden", "note hidden"])
        #expect(try club.seen(by: club.ben) == [] && club.seen(by: club.ada).count == 40)
        try fixture.addNote(club.book, club.club, "meanwhile", club.cem)
        let received = try club.received(club.ben, after: start)
        #expect(received.filter { $0.hasPrefix("created") }.count == 40)
        #expect(received.filter { $0.hasPrefix("hidden") }.count == 40)
        #expect(!received.contains { $0.contains("meanwhile") })
        try fixture.run(Command.deleteBlock(club.cem.reader).by(club.ben))
        #expect(try club.seen(by: club.ben).count == 41)
        let later = try club.received(club.ben, after: start)
        #expect(later.suffix(1) == ["unlocked meanwhile"] && later.filter { $0.hasPrefix("unlocked") }.count == 41)
        #expect(later.filter { $0 == "created meanwhile" }.isEmpty)
        // Other members received only the notes.
        #expect(try club.received(club.cem, after: start).count == 41)
    }

    @Test("A block hides moderators' replies in one's own thread for them, and its end returns them")
    func confidences() throws {
        let club = try Club()
        let (fixture, root) = (club.fixture, ResourceID(madeAt: .now))
        let start = try fixture.reads().head()
        let text =
            "{\"book\":\"\(club.book)\",\"club\":\"\(club.club)\",\"audience\":\"moderators\",\"position\":{\"progress\":0},\"body\":\"mine\"}"
        try fixture.run(Command.createNote(NoteDraft(json(text))).by(club.ben, id: root))
        let reply = try NoteDraft(json("{\"replyTo\":\"\(root)\",\"body\":\"hers\"}"))
        try fixture.run(Command.createNote(reply).by(club.ada))
        #expect(try club.seen(by: club.ben) == ["hers", "mine"] && club.seen(by: club.cem) == [])
        try fixture.run(Command.putBlock(club.ada.reader).by(club.ben))
        #expect(try club.seen(by: club.ben) == ["mine"])
        #expect(
            try club.received(club.ben, after: start) == [
                "created mine", "created hers", "updated mine", "hidden hers",
            ])
        try fixture.run(Command.deleteBlock(club.ada.reader).by(club.ben))
        #expect(try club.seen(by: club.ben) == ["hers", "mine"])
        #expect(try club.received(club.ben, after: start).last == "unlocked hers")
    }

    @Test(
        "A block hides no nameless notes, except events from while they had an author")
    func namingNobody() throws {
        let club = try Club()
        let fixture = club.fixture
        let readers = Set([club.ada, club.ben].map(\.readerKey))
        try fixture.run(Command.putBlock(club.cem.reader).by(club.ben))
        _ = fixture.takeChanges()
        try fixture.addNote(club.book, club.club, "whose", club.cem)
        try fixture.run(
            Command.deleteMember(club.cem.reader, of: club.club, isBanned: false, leaving: .nameless).by(club.cem))
        let changes = fixture.takeChanges().filter { $0.kind == .note }
        #expect(changes.map(\.summary) == ["note created", "note updated author,authorName"])
        let received = try changes.map { try fixture.reads().recipients(of: $0, among: readers) }
        #expect(received == [[club.ada.readerKey], readers])
        #expect(try club.seen(by: club.ben) == ["whose"])
        try fixture.run(Command.putBlock(club.ada.reader).by(club.ben))
        #expect(try club.seen(by: club.ben) == ["whose"])
    }

    @Test("A block applies in each club that its owner does not moderate, step by step")
    func steps() throws {
        let club = try Club()
        let fixture = club.fixture
        let own = try fixture.addClub(club.ben)
        try fixture.run(Command.putBlock(club.cem.reader).by(club.ben))
        func current() throws -> Int64 {
            try number(fixture, "SELECT count(*) FROM hidden_authors WHERE until = \(Int64.max)")
        }
        #expect(try current() == 1)
        let role = try ClubMemberPatch(json(#"{"role":"owner"}"#))
        try fixture.run(Command.updateMember(club.ben.reader, of: club.club, role).by(club.ada))
        #expect(try current() == 0)
        try fixture.run(
            Command.updateMember(club.ben.reader, of: club.club, try ClubMemberPatch(json(#"{"role":"member"}"#))).by(
                club.ada))
        #expect(try current() == 1)
        try fixture.run(Command.deleteMember(club.ben.reader, of: club.club, isBanned: false).by(club.ben))
        #expect(try current() == 0)
        try club.join(club.ben)
        #expect(try current() == 1)
        try fixture.run(Command.deleteClub(club.club).by(club.ada))
        #expect(try number(fixture, "SELECT count(*) FROM hidden_authors") == 0)
        try fixture.run(Command.deleteClub(own).by(club.ben))
        try fixture.run(Command.deleteBlock(club.cem.reader).by(club.ben))
    }

    @Test("A block is of a visible reader, and exists once")
    func sight() throws {
        let club = try Club()
        let dora = try club.fixture.addReader("dora")
        for id in [dora.reader, ResourceID(madeAt: .now)] {
            #expect(throws: RequestError.notFound) { try club.fixture.run(Command.putBlock(id).by(club.ben)) }
        }
        let block = Command.putBlock(club.cem.reader).by(club.ben)
        try club.fixture.run(block)
        #expect(try club.fixture.run(block).effect == nil)
    }

    private func number(_ fixture: StoreFixture, _ sql: String) throws -> Int64 {
        let connection = try SQLiteConnection(path: fixture.directory + "/lectern.sqlite", flags: SQLITE_OPEN_READONLY)
        return try connection.statement(once: sql).first { $0.integer(0) } ?? 0
    }
}
