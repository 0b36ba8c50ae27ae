import Model
import Testing

@testable import Store

@Suite("The limit of tokens")
struct TokenLimitTests {
    @Test("A new token replaces an expired one at the maximum, or is refused")
    func tokens() throws {
        let fixture = try StoreFixture()
        let viewer = try fixture.addReader("Ada")
        func issue(_ name: String, expires: Instant? = nil, now: Instant = .now) throws {
            let end = expires.map { ", \"expiresAt\": \"\($0)\"" } ?? ""
            let draft = try TokenDraft(json("{\"name\": \"\(name)\"\(end)}"), now: now)
            try fixture.run(
                Command.createToken(draft, SHA256.digest(of: Array("\(name)".utf8))).by(viewer))
        }
        let before = Instant.now.adding(seconds: -100)
        try issue("old", expires: before.adding(seconds: 10), now: before)
        for index in 0..<(Command.tokensMax.max - 2) { try issue("t\(index)") }
        _ = fixture.takeChanges()
        try issue("instead of the old one")
        #expect(fixture.takeChanges().map(\.summary) == ["token deleted", "token created"])
        let error = #expect(throws: RequestError.self) { try issue("one more") }
        guard case .exceeded(.limitReached, "tokensMax", Command.tokensMax.max, _, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(fixture.takeChanges().isEmpty)
        // The limit does not affect another reader, or the machine's own user.
        _ = try fixture.addReader("Ben")
    }
}
