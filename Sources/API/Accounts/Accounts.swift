import Bytes
import Glibc
import HTTPServer
import Model
import OpenID
import Passwords
import Store
import Synchronization

/// What all event loops share of the ways in: how they are set, the thread that works on passwords, and how often somebody may guess.
final class Accounts: Sendable {
    let settings: AccountSettings
    let passwords: PasswordThread
    let counters = SignInCounters()
    /// Who says of people who they are; nil where nobody is asked.
    let provider: IdentityProvider?
    let attempts = Attempts()
    let guesses = GuessMeasures()
    let newcomers: Newcomers
    let complaints = Complaints()
    /// Where the service listens.
    private let listening = Mutex<(isReachable: Bool, url: String)>((false, ""))

    init(_ settings: AccountSettings = AccountSettings()) {
        self.settings = settings
        newcomers = Newcomers(perHour: settings.registrationsPerHour)
        passwords = PasswordThread(mebibytes: settings.passwordMebibytes)
        do throws(OpenIDError) {
            provider = try settings.provider.map { settings throws(OpenIDError) in try IdentityProvider(settings) }
        } catch {
            Store.exit("cannot reach the identity provider: \(error)")
        }
    }

    /// Notes where the service listens. An address that means "all addresses" is none to connect to.
    func noteListening(at host: String, port: UInt16) {
        let name = ["0.0.0.0", "::"].contains(host) ? "localhost" : host.contains(":") ? "[\(host)]" : host
        listening.withLock {
            $0.isReachable = $0.isReachable || !Origin.isLoopback(host: host)
            $0.url = "http://\(name):\(port)"
        }
    }

    /// How browsers sign in.
    var browserSignIn: BrowserSignIn {
        if let origin = settings.publicOrigin {
            return origin.isSecure || origin.isLoopback ? .secure : .unencrypted
        }
        return listening.withLock { $0.isReachable } ? .unavailable : .secure
    }

    /// How browsers keep a session; nil where nobody decided that it may cross an open line.
    var cookie: SessionCookie? {
        if settings.publicOrigin?.isSecure == true { return .secure }
        return browserSignIn == .unavailable ? nil : .plain
    }

    /// The URL of the service for browsers, without a path: the public one, or else where it listens.
    var url: String { settings.publicOrigin?.text ?? listening.withLock { $0.url } }

    /// Where a link leads: the secret stands in the fragment, which browsers send to nobody.
    func url(ofLink secret: String) -> String { "\(url)/sign-in#\(secret)" }

    /// Monotonic seconds.
    static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

/// What became of those who came to the door, for `/metrics`. Who came in is counted once that is on disk.
final class SignInCounters: Sendable {
    let signIns = LoopCounters.Number()
    let refused = LoopCounters.Number()
    let slowed = LoopCounters.Number()
    let registrations = LoopCounters.Number()
}
