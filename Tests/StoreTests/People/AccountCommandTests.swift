import JSON
import Model
import Testing

@testable import Store

@Suite("Links, registration and sessions")
struct AccountCommandTests {
    private let fixture: StoreFixture
    private let now = Instant.now

    init() throws { fixture = try StoreFixture() }

    private func digest(_ text: String) -> SHA256Digest { SHA256.digest(of: Array(text.utf8)) }

    private func session(_ secret: String, device: String = "phone", replacing: String? = nil) -> NewSession {
        NewSession(
            id: ResourceID(madeAt: .now), device: device, digest(secret), replacing: replacing.map { digest($0) })
    }

    private func name(_ text: String) throws -> SignInName { try #require(SignInName(text)) }

    private func link(
        _ secret: String, _ body: String = "{}", by maker: Viewer? = nil, _ mode: RegistrationMode = .invited,
        linksBy makers: RegistrationLinkCreators = .readers
    ) throws -> CommandOutcome {
        let draft = try OneTimeLinkDraft(json(body), now: now)
        return try fixture.run(
            Command.createLink(draft, RegistrationPolicy(mode, linksBy: makers), digest(secret)).by(
                maker ?? fixture.administrator))
    }

    @discardableResult
    private func register(
        _ reader: String, as signInName: String, link: String?, _ mode: RegistrationMode = .invited,
        linksBy makers: RegistrationLinkCreators = .readers, at moment: Instant? = nil
    ) throws -> CommandOutcome {
        let register = Command.register(
            named: reader, account: (try name(signInName), "hash of \(reader)"), link: link.map { digest($0) },
            session("session of \(reader)"), RegistrationPolicy(mode, linksBy: makers))
        return try fixture.run(register.byTheServer(at: moment ?? .now))
    }

    private func viewer(_ secret: String) throws -> Viewer? {
        try fixture.reads().viewer(tokenDigest: digest(secret))?.viewer
    }

    @Test("A reader with an invitation gets an account and a session, once")
    func invited() throws {
        _ = try link("l")
        let outcome = try register("Ben", as: "Ben", link: "l")
        #expect(outcome.kind == .token && outcome.effect == .created)
        let ben = try #require(try viewer("session of Ben"))
        #expect(ben.role == .reader && ben.access == .write && ben.expiresAt == nil)
        let account = try #require(try fixture.reads().account(named: name("BEN")))
        #expect(account.reader == ben.reader && account.password == "hash of Ben" && account.name == "Ben")
        #expect(throws: RequestError.self) { try register("Eve", as: "eve", link: "l") }
        #expect(throws: RequestError.self) { try register("Eve", as: "eve", link: "none") }
        #expect(throws: RequestError.self) { try register("Eve", as: "eve", link: nil) }
        #expect(try fixture.reads().account(named: name("eve")) == nil)
        fixture.store.close()
        #expect(try Store.check(directory: fixture.directory).isEmpty)
    }

    @Test("A link is closed after its end, or when its creator loses the right")
    func ended() throws {
        _ = try link("late")
        #expect(throws: RequestError.self) {
            try register("Eve", as: "eve", link: "late", at: now.adding(seconds: 7 * 86_400 + 1))
        }
        let ben = try fixture.addReader("Ben")
        let club = try fixture.addClub(ben)
        _ = try link("club", "{\"club\":\"\(club)\"}", by: ben)
        let patch = try ClubPatch(json(#"{"isArchived": true}"#), form: .patch)
        try fixture.run(Command.updateClub(club, patch).by(ben))
        #expect(throws: RequestError.self) { try register("Eve", as: "eve", link: "club") }
    }

    @Test("A reader who joins by a moderator's invitation is a member, and the club gets one event with all changes")
    func club() throws {
        let ben = try fixture.addReader("Ben")
        let club = try fixture.addClub(ben)
        _ = try link("club", "{\"club\":\"\(club)\"}", by: ben)
        _ = fixture.takeChanges()
        try register("Cleo", as: "cleo", link: "club")
        let cleo = try #require(try viewer("session of Cleo"))
        #expect(try fixture.reads().club(club, of: cleo.readerKey)?.member.role == .member)
        let changes = fixture.takeChanges()
        #expect(Set(changes.map(\.transaction)).count == 1)
        #expect(changes.map(\.kind) == [.reader, .link, .member, .membership, .token])
        fixture.store.close()
        #expect(try Store.check(directory: fixture.directory).isEmpty)
    }

    @Test(
        "Members create no invitations of the server, only administrators create resets, and nobody invites into another's club"
    )
    func rights() throws {
        let ben = try fixture.addReader("Ben")
        let club = try fixture.addClub(ben)
        let cleo = try fixture.addReader("Cleo")
        for body in ["{}", "{\"club\":\"\(club)\"}", "{\"kind\":\"reset\",\"reader\":\"\(ben.reader)\"}"] {
            #expect(throws: RequestError.self) { try link("x", body, by: cleo) }
        }
        let token = try fixture.administrator
        let ending = Viewer(
            reader: token.reader, readerKey: token.readerKey, role: .administrator, access: .write, token: nil,
            expiresAt: now.adding(seconds: 60))
        #expect(
            throws: RequestError.refused(
                .tokenEnds, "A token that expires cannot create a link that gives a reader permanent access.")
        ) {
            try link("x", "{\"kind\":\"reset\",\"reader\":\"\(ben.reader)\"}", by: ending)
        }
    }

    @Test("Closed registration admits nobody, and open registration everybody")
    func modes() throws {
        _ = try link("l")
        #expect(throws: RequestError.registrationClosed) { try register("Ben", as: "ben", link: "l", .closed) }
        #expect(throws: RequestError.registrationClosed) { _ = try link("m", by: nil, .closed) }
        try register("Ben", as: "ben", link: nil, .open)
        #expect(try viewer("session of Ben") != nil)
    }

    @Test("A name belongs to one reader, however it is typed", arguments: ["ADA", "ada", "\u{FF21}da", "A\u{64}A"])
    func names(typed: String) throws {
        try register("Ada", as: "Ada", link: nil, .open)
        #expect(throws: RequestError.self) { try register("Eve", as: typed, link: nil, .open) }
        #expect(try fixture.reads().account(named: name(typed)) != nil)
    }

    @Test(
        "Letters with the same upper case are the same in names",
        arguments: [
            ("Γιώργος", "ΓΙΏΡΓΟΣ"), ("Strauß", "STRAUSS"), ("Strauẞ", "strauss"),
            ("ᾳ", "ΑΙ"), ("ſtone", "STONE"), ("İpek", "i\u{307}pek"),
        ])
    func upperCase(one: String, other: String) throws {
        let (first, second) = (try name(one).folded, try name(other).folded)
        #expect(first.utf8.elementsEqual(second.utf8))
        #expect(try name(first).folded.utf8.elementsEqual(first.utf8))
    }

    @Test("A name that nobody has gets the hash of an account, always of the same one")
    func standIns() throws {
        #expect(try fixture.reads().passwordHash(standingInFor: Array("eve".utf8)) == nil)
        for reader in ["Ada", "Ben", "Cleo"] { try register(reader, as: reader, link: nil, .open) }
        let names = (1...40).map { Array("nobody \($0)".utf8) }
        let found = try names.map { try fixture.reads().passwordHash(standingInFor: $0) }
        #expect(Set(found) == ["hash of Ada", "hash of Ben", "hash of Cleo"])
        #expect(try names.map { try fixture.reads().passwordHash(standingInFor: $0) } == found)
    }

    @Test(
        "An invisible text is no name",
        arguments: ["", " ada", "ada ", "a  b", "a\u{200B}b", "a\u{0}b", "a\u{E000}", "\u{202E}ada"])
    func unseen(text: String) { #expect(SignInName(text) == nil) }

    @Test("A composed name and its decomposition are one, and accents distinguish names")
    func normalForms() throws {
        #expect(try name("Zo\u{EB}").folded.utf8.elementsEqual(name("zoe\u{308}").folded.utf8))
        #expect(try name("Zo\u{EB}").folded != name("zoe").folded)
    }

    @Test(
        "Each sign-in opens a session, ends the browser's former one, and beyond the maximum the least recently used one"
    )
    func sessions() throws {
        let ben = try fixture.addReader("Ben")
        for number in 1...Command.sessionsPerReaderMax {
            try fixture.run(Command.openSession(session("s\(number)"), of: ben.reader).byTheServer())
        }
        try fixture.run(Command.openSession(session("new", replacing: "s7"), of: ben.reader).byTheServer())
        #expect(try viewer("s7") == nil && viewer("s1") != nil && viewer("new") != nil)
        try fixture.run(Command.openSession(session("newer"), of: ben.reader).byTheServer())
        #expect(try viewer("s1") == nil && viewer("s2") != nil && viewer("newer") != nil)
        try fixture.run(Command.endSessions.by(ben))
        #expect(try viewer("s2") == nil && viewer("Ben") != nil)
    }

    @Test("A password that changed during its check opens nothing")
    func race() throws {
        try register("Ben", as: "ben", link: nil, .open)
        let before = try #require(try fixture.reads().account(named: name("ben")))
        let writes = AccountTable.writes(
            ofReader: before.readerKey, name: nil, password: "another", passwordAt: now)
        try fixture.run(Command { _, _ in CommandDecision(writes) }.byTheServer())
        #expect(throws: RequestError.signInRefused) {
            try fixture.run(Command.openSession(session("s"), of: before).byTheServer())
        }
        let after = try #require(try fixture.reads().account(named: name("ben")))
        try fixture.run(Command.openSession(session("s"), of: after).byTheServer())
        #expect(try viewer("s")?.reader == before.reader)
    }

    @Test("An identity belongs to one reader")
    func identities() throws {
        let register = Command.register(
            named: "Ben", identity: ("https://id.example", "7"), link: nil, session("of Ben"),
            RegistrationPolicy(.open))
        try fixture.run(register.byTheServer())
        let reads = try fixture.reads()
        let reader = { (subject: String) throws(SQLiteError) in
            try ProviderIdentityTable.find("https://id.example", subject, in: reads.db)?.id
        }
        #expect(try reader("7") == viewer("of Ben")?.reader)
        #expect(try reader("8") == nil)
        #expect(throws: RequestError.self) {
            try fixture.run(register.byTheServer())
        }
    }

    @Test("A reader has at most a hundred links, and a club's end deletes the links into it")
    func bounds() throws {
        let ben = try fixture.addReader("Ben")
        let club = try fixture.addClub(ben)
        for number in 1...Command.linksPerMakerMax.max { _ = try link("l\(number)", "{\"club\":\"\(club)\"}", by: ben) }
        #expect(throws: RequestError.self) { try link("more", "{\"club\":\"\(club)\"}", by: ben) }
        try fixture.run(Command.deleteClub(club).by(ben))
        #expect(
            try ReadConnection.ownLinks.page(fixture.reads(), of: ben.readerKey, after: nil, limit: 10).items.isEmpty)
        fixture.store.close()
        #expect(try Store.check(directory: fixture.directory).isEmpty)
    }
}
