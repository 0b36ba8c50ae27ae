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
    private let ofNewNames = Guesses(.ofName)
    private let ofLinks = Guesses(.ofName)
    private let ofReaders = Guesses(.ofName)
    private let ofAddresses = Guesses(.ofAddress)
    private let ofSuccesses = Guesses(.ofSuccess)
    private let ofCodes = Guesses(.ofAddress)
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

    /// Counts a password that is sent for something, from an address; throws where it comes too soon after others. What cannot be
    /// looked at now is not counted.
    func admit(_ use: PasswordUse, from address: IPAddress? = nil) throws(LecternError) -> Guess {
        let guess = use.guess(from: address)
        do throws(PasswordThread.Full) { try passwords.demandRoom(for: guess.parties) } catch { throw busy(error) }
        guard settings.guessesAreSlowed else { return guess }
        let now = Self.now
        if let party = guess.address, let seconds = ofAddresses.admit(party, at: now) {
            throw slowed("signInsPerAddressMax", Guesses.Pace.ofAddress, "from your address", seconds)
        }
        let seconds =
            switch use {
            case .signIn(let name): ofNames.admit(name, at: now)
            case .registration(let name): ofNewNames.admit(name, at: now)
            case .reset(let link): ofLinks.admit(link, at: now)
            case .proof(let reader): ofReaders.admit(reader, at: now)
            }
        guard let seconds else { return guess }
        if let party = guess.address { ofAddresses.takeBack(party) }
        let place =
            switch use {
            case .signIn, .registration: "at this name"
            case .reset: "with this link"
            case .proof: "by you"
            }
        throw slowed("signInsPerNameMax", Guesses.Pace.ofName, place, seconds)
    }

    /// Takes back what was no guess after all: nobody has looked.
    func takeBack(_ guess: Guess) {
        guard settings.guessesAreSlowed else { return }
        switch guess.use {
        case .signIn(let name): ofNames.takeBack(name)
        case .registration(let name): ofNewNames.takeBack(name)
        case .reset(let link): ofLinks.takeBack(link)
        case .proof(let reader): ofReaders.takeBack(reader)
        }
        if let address = guess.address { ofAddresses.takeBack(address) }
    }

    /// Notes that a password was a reader's. It was no guess, unless it comes so often that it can only be there to keep others waiting.
    func noteRight(_ guess: Guess, of reader: Int64) {
        if ofSuccesses.admit(reader, at: Self.now) == nil { takeBack(guess) }
    }

    /// Counts a code that is said to be the provider's, who is asked about it; throws where too many come from an address.
    func admitCode(from address: IPAddress?) throws(LecternError) {
        guard settings.guessesAreSlowed, let party = address?.party else { return }
        guard let seconds = ofCodes.admit(party, at: Self.now) else { return }
        counters.slowed.add()
        throw .tooManyRequests(
            limit: "codesPerAddressMax", max: Guesses.Pace.ofAddress.burst,
            "Too many codes that the identity provider does not know come from your address. Try again in \(seconds) seconds.",
            retryAfterSeconds: seconds)
    }

    /// The provider knew the code.
    func noteRightCode(from address: IPAddress?) {
        if settings.guessesAreSlowed, let party = address?.party { ofCodes.takeBack(party) }
    }

    /// Why the password thread takes no more.
    func busy(_ full: PasswordThread.Full) -> LecternError {
        counters.slowed.add()
        guard let party = full.party else {
            return .tooManyRequests(
                limit: "passwordQueueMax", max: full.max,
                "\(full.max) others wait for their passwords to be looked at. Try again.", retryAfterSeconds: 1)
        }
        let place =
            switch party {
            case .address: "from your address"
            case .reader: "of yours"
            case .link: "with this link"
            }
        return .tooManyRequests(
            limit: "passwordsWaitingMax", max: full.max,
            "As many passwords as may wait \(place) wait to be looked at: \(full.max). Try again.", retryAfterSeconds: 1
        )
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
