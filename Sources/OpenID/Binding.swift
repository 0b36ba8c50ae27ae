import Bytes
package import Model

/// What ties an attempt to the browser that made it: the value of a cookie, and what follows from it for who has the key. The
/// state is the cookie's authentication code, so nobody else's cookie goes with it; the verifier never leaves this machine before
/// it goes to the token endpoint.
package struct Binding: Sendable {
    /// The longest cookie that is looked at.
    static let cookieBytesMax = 3000

    package let cookie: String
    package let state: String
    let nonce: String
    /// Of PKCE (RFC 7636).
    let verifier: String

    /// What the authorization endpoint is told of the verifier: S256.
    var challenge: String { Base64URL.text(of: SHA256.digest(of: Array(verifier.utf8)).bytes) }

    init(cookie: String, _ key: HMAC) {
        func derived(_ what: String) -> String {
            Base64URL.text(of: key.code(of: Array(what.utf8) + [0] + Array(cookie.utf8)))
        }
        self.cookie = cookie
        state = derived("state")
        nonce = derived("nonce")
        verifier = derived("verifier")
    }
}

/// The attempts that are under way. Nothing is kept of one before its answer comes, so whoever begins a million fills nothing.
package final class Attempts: Sendable {
    private let key: HMAC
    private let spent = SpentStates()

    /// Attempts that only this object knows: with the process they end.
    package init() { key = HMAC(key: Self.random()) }

    package func begin(_ attempt: Attempt) -> Binding {
        Binding(cookie: attempt.encoded(seed: Base64URL.text(of: Self.random())), key)
    }

    /// The attempt that an answer belongs to, unless it has ended; `cookie` is the browser's.
    package func begun(cookie: String?, state: String?, now: Instant) throws(OpenIDError) -> (Attempt, Binding) {
        guard let cookie, cookie.utf8.count <= Binding.cookieBytesMax else {
            throw .refused("This browser has begun no sign-in, or did so more than ten minutes ago.")
        }
        let binding = Binding(cookie: cookie, key)
        guard let state, isSame(state, binding.state) else {
            throw .refused("The answer belongs to another attempt than the last one of this browser.")
        }
        guard let attempt = Attempt(encoded: cookie), attempt.expiresAt > now else {
            throw .refused("The sign-in was begun more than ten minutes ago.")
        }
        try spent.demandUnspent(binding.state, now: now)
        return (attempt, binding)
    }

    /// Ends an attempt whose code the provider knew: it counts once, also where the same answer came twice at a time.
    package func end(_ attempt: Attempt, _ binding: Binding, now: Instant) throws(OpenIDError) {
        try spent.add(binding.state, until: attempt.expiresAt, now: now)
    }

    /// 256 bits.
    private static func random() -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<4).flatMap { _ in withUnsafeBytes(of: generator.next() as UInt64) { Array($0) } }
    }
}
