import Bytes
package import Model
import Synchronization

/// The values that bind a sign-in attempt to the browser that began it: a cookie, and values derived from it with a
/// secret key. The state is the cookie's authentication code, so no other cookie matches it. The verifier is sent to
/// the token endpoint only.
package struct BrowserBinding: Sendable {
    /// The maximum bytes of an accepted cookie.
    static let cookieBytesMax = 3000

    package let cookie: String
    package let state: String
    let nonce: String
    /// The code verifier of PKCE (RFC 7636).
    let verifier: String

    /// The code challenge for the authorization endpoint, with the method S256.
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

/// The attempts in progress. The server stores nothing about an attempt before its response, so a million attempts take
/// no memory.
package final class SignInAttempts: Sendable {
    /// The maximum number of kept states of successful attempts. Beyond it responses are refused.
    private static let usedMax = 16_384
    private static let usedBefore = OpenIDError.refused("The response has been used before.")

    private let key: HMAC
    /// The ends of the successful attempts by the digests of their states. They are kept until their responses can no
    /// longer be repeated. Forged responses take no memory: only attempts that the provider confirmed are added.
    private let used = Mutex<[SHA256Digest: Instant]>([:])

    /// Creates a key in memory: all attempts end with the process.
    package init() { key = HMAC(key: Self.random()) }

    package func begin(_ attempt: SignInAttempt) -> BrowserBinding {
        BrowserBinding(cookie: attempt.encoded(seed: Base64URL.text(of: Self.random())), key)
    }

    /// Returns the attempt of a response, unless it has expired or was used. `cookie` is the browser's.
    package func begun(cookie: String?, state: String?, now: Instant) throws(OpenIDError) -> (
        SignInAttempt, BrowserBinding
    ) {
        guard let cookie, cookie.utf8.count <= BrowserBinding.cookieBytesMax else {
            throw .refused("This browser has not started a sign-in, or started it more than ten minutes ago.")
        }
        let binding = BrowserBinding(cookie: cookie, key)
        guard let state, areEqualInConstantTime(state, binding.state) else {
            throw .refused("The response belongs to another attempt of this browser to sign in.")
        }
        guard let attempt = SignInAttempt(encoded: cookie), attempt.expiresAt > now else {
            throw .refused("The sign-in was started more than ten minutes ago.")
        }
        let digest = SHA256.digest(of: Array(binding.state.utf8))
        if let end = used.withLock({ $0[digest] }), end > now { throw Self.usedBefore }
        return (attempt, binding)
    }

    /// Ends an attempt whose code the provider accepted. It counts once, even if the same response arrives twice at
    /// once.
    package func end(_ attempt: SignInAttempt, _ binding: BrowserBinding, now: Instant) throws(OpenIDError) {
        let digest = SHA256.digest(of: Array(binding.state.utf8))
        try used.withLock { used throws(OpenIDError) in
            if let end = used[digest], end > now { throw Self.usedBefore }
            if used.count >= Self.usedMax { used = used.filter { $0.value > now } }
            guard used.count < Self.usedMax else {
                throw .unreachable("too many sign-ins have used this in the last ten minutes")
            }
            used[digest] = attempt.expiresAt
        }
    }

    /// Returns 256 random bits.
    private static func random() -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<4).flatMap { _ in withUnsafeBytes(of: generator.next() as UInt64) { Array($0) } }
    }
}
