import Bytes
import Model
import Passwords

/// The counts of password guesses.
struct PasswordGuessLimiters: Sendable {
    /// The counts for each purpose, so that guesses for one use never block another.
    let ofPurposes = GuessLimiter(.ofName)
    let ofAddresses = GuessLimiter(.ofAddress)
    let ofSuccesses = GuessLimiter(.ofSuccess)
    let ofCodes = GuessLimiter(.ofAddress)
}

extension AccountService {
    /// Counts a password that a request sends, and throws if too many were sent before. A password that the password
    /// thread cannot take now is not counted.
    func admit(_ use: PasswordPurpose, from address: IPAddress? = nil) throws(RequestError) -> CountedPasswordGuess {
        var guess = use.guess(from: address)
        do throws(PasswordThread.Full) { try passwords.demandRoom(for: guess.parties) } catch { throw busy(error) }
        guard settings.guessesAreSlowed else { return guess }
        let now = Self.now
        if let party = guess.address {
            do throws(GuessLimiter.TooSoon) {
                guess.countedOfAddress = try guesses.ofAddresses.admit(party, at: now)
            } catch {
                throw slowed("signInsPerAddressMax", PasswordGuessRate.ofAddress, "from your address", error.seconds)
            }
        }
        do throws(GuessLimiter.TooSoon) { guess.counted = try guesses.ofPurposes.admit(use, at: now) } catch {
            takeBack(guess)
            let place =
                switch use {
                case .signIn, .registration: "for this name"
                case .reset: "with this link"
                case .proof: "by you"
                }
            throw slowed("signInsPerNameMax", PasswordGuessRate.ofName, place, error.seconds)
        }
        return guess
    }

    /// Takes back the count of a password that was not checked.
    func takeBack(_ guess: CountedPasswordGuess) {
        if let counted = guess.counted { guesses.ofPurposes.takeBack(counted) }
        if let counted = guess.countedOfAddress { guesses.ofAddresses.takeBack(counted) }
    }

    /// Takes back the count of a correct password. If correct ones come so often that they can only be meant to delay
    /// others, they stay counted.
    func recordRight(_ guess: CountedPasswordGuess, of reader: Int64) {
        // Too many correct passwords stay counted as guesses.
        do throws(GuessLimiter.TooSoon) { _ = try guesses.ofSuccesses.admit(reader, at: Self.now) } catch { return }
        takeBack(guess)
    }

    /// Counts an authorization code that is sent to the identity provider. Throws if too many come from an address.
    func admitCode(from address: IPAddress?) throws(RequestError) -> GuessLimiter.CountedGuess? {
        guard settings.guessesAreSlowed, let party = address?.party else { return nil }
        do throws(GuessLimiter.TooSoon) { return try guesses.ofCodes.admit(party, at: Self.now) } catch {
            counters.slowed.add()
            throw .tooOften(
                limit: "codesPerAddressMax", max: PasswordGuessRate.ofAddress.burst,
                "Too many sign-in attempts with unknown codes from your address. Try again in \(error.seconds) s.",
                retryAfterSeconds: error.seconds)
        }
    }

    /// Takes back the count of a code that the provider accepted.
    func recordRightCode(_ counted: GuessLimiter.CountedGuess?) {
        if let counted { guesses.ofCodes.takeBack(counted) }
    }

    /// Returns the error for a full queue of the password thread.
    func busy(_ full: PasswordThread.Full) -> RequestError {
        counters.slowed.add()
        guard let party = full.party else {
            return .tooManyRequests(
                limit: "passwordQueueMax", max: full.max,
                "\(full.max) other sign-ins are waiting, which is the maximum. Try again.", retryAfterSeconds: 1)
        }
        let place =
            switch party {
            case .address: "from your address"
            case .reader: "of yours"
            case .link: "with this link"
            }
        return .tooManyRequests(
            limit: "passwordsWaitingMax", max: full.max,
            "\(full.max) sign-ins \(place) are waiting, which is the maximum. Try again.", retryAfterSeconds: 1
        )
    }

    private func slowed(_ limit: String, _ pace: PasswordGuessRate, _ place: String, _ seconds: Int) -> RequestError {
        counters.slowed.add()
        return .tooOften(
            limit: limit, max: pace.burst,
            "Too many passwords were tried \(place). Try again in \(seconds) s. Signed-in devices stay signed in.",
            retryAfterSeconds: seconds)
    }
}
