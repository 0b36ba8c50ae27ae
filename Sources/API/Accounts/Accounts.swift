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
    /// Whether others than this machine may come in.
    private let isReachable = Atomic(false)

    init(_ settings: AccountSettings = AccountSettings()) {
        self.settings = settings
        newcomers = Newcomers(perHour: settings.registrationsPerHour)
        passwords = PasswordThread(mebibytes: settings.passwordMebibytes)
        do throws(OpenIDError) {
            provider = try settings.provider.map { settings throws(OpenIDError) in try IdentityProvider(settings) }
        } catch {
            Store.exit("the identity provider cannot be asked: \(error)")
        }
    }

    /// Notes where the service listens.
    func noteListening(at host: String) {
        if !Origin.isLoopback(host: host) { isReachable.store(true, ordering: .relaxed) }
    }

    /// How browsers keep a session; nil where it would go over an open line.
    var cookie: SessionCookie? {
        if let origin = settings.publicOrigin {
            if origin.isSecure { return .secure }
            return origin.isLoopback ? .ofLoopback : nil
        }
        return isReachable.load(ordering: .relaxed) ? nil : .ofLoopback
    }

    /// Where a link leads: the secret stands in the fragment, which browsers send to nobody.
    func url(of link: Link.Kind, secret: String) -> String {
        (settings.publicOrigin?.text ?? "") + "/sign-in#" + secret
    }

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
