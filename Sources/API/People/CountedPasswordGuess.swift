import Bytes
import Model
import Passwords

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
    let use: PasswordPurpose
    /// The address whose guesses are counted, too, or `nil` if they are not.
    let address: IPAddress?
    /// The clients in whose queues the password waits for the password thread.
    let parties: [PasswordClient]
    /// The count for its purpose that includes this guess. `countedOfAddress` is the count for its address.
    var counted: GuessLimiter.CountedGuess?
    var countedOfAddress: GuessLimiter.CountedGuess?
}

extension PasswordPurpose {
    /// Returns the guess to count for a password from an address.
    func guess(from address: IPAddress?) -> CountedPasswordGuess {
        let party = address?.party
        let waiting = party.map { [PasswordClient.address($0)] } ?? []
        return switch self {
        case .signIn: CountedPasswordGuess(use: self, address: party, parties: waiting)
        case .registration(_, let invitation):
            CountedPasswordGuess(use: self, address: party, parties: waiting + (invitation.map { [.link($0)] } ?? []))
        // Links cannot be guessed, so the address is not counted.
        case .reset(let digest): CountedPasswordGuess(use: self, address: nil, parties: waiting + [.link(digest)])
        // Other people may have used up the address's count.
        case .proof(let reader): CountedPasswordGuess(use: self, address: nil, parties: [.reader(reader)])
        }
    }
}
