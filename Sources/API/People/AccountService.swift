import Bytes
import Glibc
import HTTPServer
import Measures
import Model
import OpenID
import Passwords
import Scheduling
import Store
import Synchronization

/// The state of registration and sign-in that all event loops share.
final class AccountService: Sendable {
    let settings: AccountSettings
    let passwords: PasswordThread
    let counters = SignInCounters()
    /// The identity provider, or `nil` if there is none.
    let provider: IdentityProvider?
    let attempts = SignInAttempts()
    let attemptLimiter = RateLimiter()
    /// The address at which the service listens.
    private let listening = Mutex<(isReachable: Bool, url: String)>((false, ""))

    init(_ settings: AccountSettings = AccountSettings()) {
        self.settings = settings
        passwords = PasswordThread(mebibytes: settings.passwordMebibytes)
        provider = Store.orExit("cannot reach the identity provider") {
            try settings.provider.map(IdentityProvider.init)
        }
    }

    /// Records an address at which the service listens. A wildcard address is no address to connect to, so `localhost`
    /// replaces it.
    func recordListening(at host: String, port: UInt16) {
        let name = ["0.0.0.0", "::"].contains(host) ? "localhost" : host.contains(":") ? "[\(host)]" : host
        listening.withLock {
            $0.isReachable = $0.isReachable || !WebOrigin.isLoopback(host: host)
            $0.url = "http://\(name):\(port)"
        }
    }

    /// The way in which browsers sign in.
    var browserSignIn: BrowserSignIn {
        if let origin = settings.publicOrigin {
            return origin.isSecure || origin.isLoopback ? .secure : .unencrypted
        }
        return listening.withLock { $0.isReachable } ? .unavailable : .secure
    }

    /// The session cookie, or `nil` if the operator has not allowed cookies over an unencrypted connection.
    var cookie: SecretCookie? {
        if settings.publicOrigin?.isSecure == true { return .secureSession }
        return browserSignIn == .unavailable ? nil : .plainSession
    }

    /// The URL of the service for browsers, without a path: the public one, or else the listening address.
    var url: String { settings.publicOrigin?.text ?? listening.withLock { $0.url } }

    /// Returns the URL of a link. The secret is in the fragment, which browsers do not send.
    func url(ofLink secret: String) -> String { "\(url)/sign-in#\(secret)" }

    /// The monotonic time in seconds.
    static var now: Double { Double(MonotonicClock.nanoseconds()) / 1e9 }
}

/// The outcomes of sign-ins, for `/metrics`. A successful one is counted once it is on disk.
final class SignInCounters: Sendable {
    let signIns = AtomicNumber()
    let refused = AtomicNumber()
    let slowed = AtomicNumber()
    let registrations = AtomicNumber()
}
