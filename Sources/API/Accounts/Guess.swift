import Bytes
import Model
import Passwords

/// What somebody sends a password for. Each has a measure of its own, so that what fills one never fills another.
enum PasswordUse: Hashable, Sendable {
    /// To be let in under a name, known or not.
    case signIn(name: [UInt8])
    /// To be known by a name from now on; with the digest of an invitation that opens, where there is one.
    case registration(name: [UInt8], invitation: Digest?)
    /// To choose one by the link whose secret has that digest.
    case reset(Digest)
    /// To show who one is, signed in already: nobody else fills that reader's measure.
    case proof(reader: Int64)
}

/// A password that is to be looked at, and has been counted.
struct Guess: Sendable {
    let use: PasswordUse
    /// Whose measure it is in besides.
    let address: IPAddress?
    /// Among whose jobs it waits.
    let parties: [Party]
    /// What it was counted as: in the measure of its use, and in that of its address.
    var counted: Guesses.Counted?
    var countedOfAddress: Guesses.Counted?
}

extension PasswordUse {
    /// What is counted when it comes from an address.
    func guess(from address: IPAddress?) -> Guess {
        let party = address?.party
        let waiting = party.map { [Party.address($0)] } ?? []
        return switch self {
        case .signIn: Guess(use: self, address: party, parties: waiting)
        case .registration(_, let invitation):
            Guess(use: self, address: party, parties: waiting + (invitation.map { [.link($0)] } ?? []))
        // Nobody guesses at links.
        case .reset(let digest): Guess(use: self, address: nil, parties: waiting + [.link(digest)])
        // Others may have filled the address's.
        case .proof(let reader): Guess(use: self, address: nil, parties: [.reader(reader)])
        }
    }
}
