import Bytes
import Model
import Passwords
import Scheduling
import Store

extension AccountService {
    /// Counts a password that a request sends, and throws if too many were sent before. A password that the password
    /// thread cannot take now is not counted.
    func admit(_ purpose: PasswordPurpose, from address: IPAddress? = nil) throws(RequestError) -> CountedPasswordGuess
    {
        var guess = CountedPasswordGuess(purpose, from: address)
        do throws(PasswordThread.Full) { try passwords.demandRoom(for: guess.parties) } catch { throw busy(error) }
        guard settings.guessesAreSlowed else { return guess }
        for count in guess.counts {
            do throws(RequestError) { guess.counted.append(try add(to: count)) } catch {
                takeBack(guess)
                throw error
            }
        }
        return guess
    }

    /// Takes back the counts of a password that was not checked.
    func takeBack(_ guess: CountedPasswordGuess) { guess.counted.forEach(attemptLimiter.takeBack) }

    /// Takes back the counts of a correct password. If correct ones come so often that they can only be meant to delay
    /// others, they stay counted.
    func recordRight(_ guess: CountedPasswordGuess, of reader: Int64) {
        let count = AttemptCount.correctPasswords(reader: reader)
        // Too many correct passwords stay counted as guesses.
        do throws(RateLimiter.TooSoon) { try attemptLimiter.admit(count, count.rate, at: Self.now) } catch { return }
        takeBack(guess)
    }

    /// Counts an authorization code that is sent to the identity provider. Throws if too many come from an address.
    func admitCode(from address: IPAddress?) throws(RequestError) -> RateLimiter.CountedEvent? {
        guard settings.guessesAreSlowed, let party = address?.party else { return nil }
        return try add(to: .codesFrom(party))
    }

    /// Takes back the count of a code that the provider accepted.
    func recordRightCode(_ counted: RateLimiter.CountedEvent?) { counted.map(attemptLimiter.takeBack) }

    /// Returns whether an error of the provider may be logged now: one a second. Outsiders can cause such errors, which
    /// would push all other lines out of the stored log.
    func admitLogLine() -> Bool {
        let rate = RateLimiter.Rate(burst: 1, seconds: 1)
        do throws(RateLimiter.TooSoon) { try attemptLimiter.admit("log", rate, at: Self.now) } catch { return false }
        return true
    }

    /// Throws if the limit of registrations without a link is reached. Checked before a password is hashed for nothing.
    func demandRoomForRegistration() throws(RequestError) {
        try admitRegistration().map(attemptLimiter.takeBack)
    }

    /// The check that the writer makes before it registers a reader: a registration without an invitation counts
    /// against the limit.
    var registrationCheck: RegistrationCheck {
        { [self] isInvited throws(RequestError) in if !isInvited { _ = try admitRegistration() } }
    }

    private func admitRegistration() throws(RequestError) -> RateLimiter.CountedEvent? {
        guard settings.registrationsPerHour > 0 else { return nil }
        return try add(to: .registrations(perHour: settings.registrationsPerHour))
    }

    private func add(to count: AttemptCount) throws(RequestError) -> RateLimiter.CountedEvent {
        do throws(RateLimiter.TooSoon) { return try attemptLimiter.admit(count, count.rate, at: Self.now) } catch {
            counters.slowed.add()
            throw .exceeded(
                .tooOften, limit: count.limitName, max: count.rate.burst,
                "\(count.excess) Try again in \(error.seconds) s. Signed-in devices stay signed in.",
                retryAfterSeconds: error.seconds)
        }
    }

    /// Returns the error for a full queue of the password thread.
    func busy(_ full: PasswordThread.Full) -> RequestError {
        counters.slowed.add()
        guard let party = full.party else {
            return .exceeded(
                .tooManyRequests, limit: "passwordQueueMax", max: full.max,
                "\(full.max) other sign-ins are waiting, which is the maximum. Try again.", retryAfterSeconds: 1)
        }
        let place =
            switch party {
            case .address: "from your address"
            case .reader: "of yours"
            case .link: "with this link"
            }
        return .exceeded(
            .tooManyRequests, limit: "passwordsWaitingMax", max: full.max,
            "\(full.max) sign-ins \(place) are waiting, which is the maximum. Try again.", retryAfterSeconds: 1
        )
    }
}
