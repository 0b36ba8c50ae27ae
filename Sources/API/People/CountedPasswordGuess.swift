import Bytes
import Model
import Passwords
import Scheduling

/// The purpose for which a request sends a password. Each has its own counts, so that guesses for one purpose never
/// block another.
enum PasswordPurpose: Hashable, Sendable {
    /// Sign-in under a name, which may be unknown.
    case signIn(name: [UInt8])
    /// Registration of a name, with the digest of a valid invitation if there is one.
    case registration(name: [UInt8], invitation: SHA256Digest?)
    /// A new password by a link whose secret has this digest.
    case reset(SHA256Digest)
    /// Confirmation by a reader who is signed in. Nobody else adds to that reader's count.
    case proof(reader: Int64)
}

/// A password that is to be checked and has been counted.
struct CountedPasswordGuess: Sendable {
    /// The counts that include the guess.
    let counts: [AttemptCount]
    /// The clients in whose queues the password waits for the password thread.
    let parties: [PasswordClient]
    /// The guess as it was counted, once for each of `counts`.
    var counted: [RateLimiter.CountedEvent] = []

    /// Creates a guess that is not counted yet, of a password from an address.
    init(_ purpose: PasswordPurpose, from address: IPAddress?) {
        let party = address?.party
        let ofAddress = party.map { [AttemptCount.passwordsFrom($0)] } ?? []
        let waiting = party.map { [PasswordClient.address($0)] } ?? []
        switch purpose {
        case .signIn: (counts, parties) = (ofAddress + [.passwords(purpose)], waiting)
        case .registration(_, let invitation):
            (counts, parties) = (ofAddress + [.passwords(purpose)], waiting + (invitation.map { [.link($0)] } ?? []))
        // Links cannot be guessed, so the address is not counted.
        case .reset(let digest): (counts, parties) = ([.passwords(purpose)], waiting + [.link(digest)])
        // Other people may have used up the address's count.
        case .proof(let reader): (counts, parties) = ([.passwords(purpose)], [.reader(reader)])
        }
    }
}
