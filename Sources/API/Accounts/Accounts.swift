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
    private let ofNames = Guesses(.ofName)
    private let ofAddresses = Guesses(.ofAddress)
    /// Whether others than this machine may come in.
    private let isReachable = Atomic(false)

    init(_ settings: AccountSettings = AccountSettings()) {
        self.settings = settings
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
        let path =
            switch link {
            case .invitation: "/join#"
            case .reset: "/reset#"
            }
        return (settings.publicOrigin?.text ?? "") + path + secret
    }

    /// A guess that was let through.
    struct Guess: Sendable {
        fileprivate let name: [UInt8]
        fileprivate let address: IPAddress?
    }

    /// Counts a guess at what has that name, known or not, from an address; throws where it comes too soon after others. What cannot be
    /// looked at now is none.
    func admit(_ name: [UInt8], from address: IPAddress?) throws(LecternError) -> Guess {
        guard passwords.hasRoom else { throw busy }
        let (now, party) = (Self.now, address?.party)
        guard settings.guessesAreSlowed else { return Guess(name: name, address: party) }
        if let party, let seconds = ofAddresses.admit(party, at: now) {
            throw slowed("signInsPerAddressMax", Guesses.Pace.ofAddress, "from your address", seconds)
        }
        if let seconds = ofNames.admit(name, at: now) {
            if let party { ofAddresses.takeBack(party) }
            throw slowed("signInsPerNameMax", Guesses.Pace.ofName, "at this name", seconds)
        }
        return Guess(name: name, address: party)
    }

    /// Takes back what was no guess after all: the password was right, or nobody has looked.
    func takeBack(_ guess: Guess) {
        ofNames.takeBack(guess.name)
        if let address = guess.address { ofAddresses.takeBack(address) }
    }

    var busy: LecternError {
        counters.slowed.add()
        return .tooManyRequests(
            limit: "passwordQueueMax", max: PasswordThread.queueMax,
            "\(PasswordThread.queueMax) others wait for their passwords to be looked at. Try again.",
            retryAfterSeconds: 1)
    }

    private func slowed(_ limit: String, _ pace: Guesses.Pace, _ place: String, _ seconds: Int) -> LecternError {
        counters.slowed.add()
        return .tooManyRequests(
            limit: limit, max: pace.burst,
            "Too many passwords were tried \(place). Who is signed in stays so; try again in \(seconds) seconds.",
            retryAfterSeconds: seconds)
    }

    private static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

/// What became of those who came to the door, for `/metrics`.
final class SignInCounters: Sendable {
    let signIns = LoopCounters.Number()
    let refused = LoopCounters.Number()
    let slowed = LoopCounters.Number()
    let registrations = LoopCounters.Number()
}
