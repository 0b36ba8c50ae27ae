import JSON
import Model
import Store
import Testing

@Suite("Readers and tokens")
struct ReaderAndTokenCommandTests {
    let fixture: StoreFixture
    let administrator: Viewer
    let reader: Viewer

    init() throws {
        fixture = try StoreFixture()
        administrator = try fixture.administrator
        reader = try fixture.addReader("Ada")
        _ = fixture.takeChanges()
    }

    private func patch(_ id: ResourceID, _ body: String, _ viewer: Viewer) throws -> CommandOutcome {
        let patch = try ReaderPatch(json(body), form: .patch, roleMayChange: viewer.role == .administrator)
        return try fixture.run(
            Command.updateReader(id, patch).by(viewer))
    }

    private func issue(_ body: String, _ viewer: Viewer, secret: String) throws -> CommandOutcome {
        let draft = try TokenDraft(json(body), now: .now)
        let digest = SHA256.digest(of: Array(secret.utf8))
        return try fixture.run(
            Command.createToken(draft, digest).by(viewer))
    }

    @Test("The first start creates one administrator, and the next none")
    func first() throws {
        try fixture.store.ensureAdministrator()
        #expect(fixture.takeChanges().isEmpty)
        #expect(try fixture.reads().readers(after: nil, limit: 10).items.count == 2)
    }

    @Test("Only administrators create readers")
    func create() throws {
        let patch = try ReaderPatch(json(#"{"name": "Eve"}"#), form: .whole, roleMayChange: true)
        let command = Command.createReader(patch).by(reader)
        #expect(throws: RequestError.self) { try fixture.run(command) }
        #expect(fixture.takeChanges().isEmpty)
    }

    @Test("A reader edits themselves, an administrator everyone; others get notFound")
    func edit() throws {
        #expect(try patch(reader.reader, #"{"name": "Ada L."}"#, reader).effect == .updated)
        #expect(try patch(reader.reader, #"{"name": "Ada L."}"#, reader).effect == nil)
        #expect(try patch(reader.reader, #"{"name": "Ada"}"#, administrator).effect == .updated)
        let changes = fixture.takeChanges()
        #expect(changes.map(\.summary) == ["reader updated name", "reader updated name"])
        #expect(changes.allSatisfy { $0.scope == reader.scope })
        #expect(throws: RequestError.notFound) { try patch(administrator.reader, #"{"name": "X"}"#, reader) }
    }

    @Test("The last administrator stays one")
    func lastAdministrator() throws {
        #expect(throws: RequestError.self) { try patch(administrator.reader, #"{"role": "reader"}"#, administrator) }
        #expect(try patch(reader.reader, #"{"role": "administrator"}"#, administrator).effect == .updated)
        #expect(try patch(administrator.reader, #"{"role": "reader"}"#, administrator).effect == .updated)
    }

    @Test("A token is found by its digest until it is revoked, and its secret is not stored")
    func token() throws {
        let token = try issue(#"{"name": "phone", "scope": "read"}"#, reader, secret: "s3cret")
        let changes = fixture.takeChanges()
        #expect(changes.map(\.summary) == ["token created"])
        #expect(changes[0].scope == reader.scope)
        let digest = SHA256.digest(of: Array("s3cret".utf8))
        let known = try #require(try fixture.reads().viewer(tokenDigest: digest))
        #expect(known.viewer.readerKey == reader.readerKey && known.viewer.access == .read)
        #expect(known.viewer.token == token.id && known.lastUsedDay == nil)
        let revoke = Command.deleteToken(token.id).by(reader)
        #expect(try fixture.run(revoke).effect == .deleted)
        #expect(try fixture.reads().viewer(tokenDigest: digest) == nil)
        #expect(fixture.takeChanges().map(\.summary) == ["token deleted"])
    }

    @Test("A token's use is recorded by the day, forwards only, and is no change")
    func touch() throws {
        let token = try #require(reader.token)
        for (day, expected) in [(20_000, 20_000), (20_000, 20_000), (19_999, 20_000), (20_001, 20_001)]
            as [(Int64, Int64)]
        {
            try fixture.run(Command.touchToken(token, day: day).byTheServer())
            #expect(try fixture.reads().token(token)?.lastUsedOn?.number == expected)
        }
        #expect(fixture.takeChanges().isEmpty)
    }

    @Test("Only administrators create tokens for others, and others' tokens are not found")
    func others() throws {
        let own = try issue(#"{"name": "a"}"#, administrator, secret: "1")
        #expect(throws: RequestError.notFound) {
            try fixture.run(Command.deleteToken(own.id).by(reader))
        }
        #expect(throws: RequestError.self) {
            try issue("{\"name\": \"a\", \"reader\": \"\(administrator.reader)\"}", reader, secret: "2")
        }
        let given = try issue("{\"name\": \"a\", \"reader\": \"\(reader.reader)\"}", administrator, secret: "3")
        #expect(try fixture.reads().token(given.id)?.readerKey == reader.readerKey)
        #expect(throws: RequestError.self) {
            try issue(#"{"name": "a", "reader": "00000000-0000-0000-0000-000000000001"}"#, administrator, secret: "4")
        }
        #expect(
            try ReadConnection.ownTokens.page(fixture.reads(), of: reader.readerKey, after: nil, limit: 10).items.count
                == 2)
        #expect(try ReadConnection.tokens.page(fixture.reads(), of: 0, after: nil, limit: 10).items.count == 3)
    }
}
