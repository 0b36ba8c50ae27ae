import Bytes
import Scheduling

/// A count of attempts that has a limit.
enum AttemptCount: Hashable, Sendable {
    /// The passwords for a purpose.
    case passwords(PasswordPurpose)
    /// The passwords from an address.
    case passwordsFrom(IPAddress)
    /// The correct passwords of a reader, each of which takes as long to check as a wrong one.
    case correctPasswords(reader: Int64)
    /// The codes of the identity provider from an address.
    case codesFrom(IPAddress)
    /// The registrations without a link, with open registration. Limits per reader are worth little against somebody
    /// who can create more readers.
    case registrations(perHour: Int)

    var rate: RateLimiter.Rate {
        switch self {
        // Half a minute between guesses is about 3,000 a day.
        case .passwords: RateLimiter.Rate(burst: 10, seconds: 30)
        // A household shares an address, or all clients of a proxy that does not identify them.
        case .passwordsFrom, .codesFrom: RateLimiter.Rate(burst: 60, seconds: 2)
        case .correctPasswords: RateLimiter.Rate(burst: 30, seconds: 5)
        case .registrations(let perHour): RateLimiter.Rate(burst: perHour, seconds: 3600 / Double(perHour))
        }
    }

    /// The name of the limit in problems.
    var limitName: String {
        switch self {
        case .passwords, .correctPasswords: "signInsPerNameMax"
        case .passwordsFrom: "signInsPerAddressMax"
        case .codesFrom: "codesPerAddressMax"
        case .registrations: "registrationsPerHour"
        }
    }

    /// A sentence that says which attempts are too many.
    var excess: String {
        switch self {
        case .passwords(.signIn), .passwords(.registration): "Too many passwords were tried for this name."
        case .passwords(.reset): "Too many passwords were tried with this link."
        case .passwords(.proof), .correctPasswords: "Too many passwords were tried by you."
        case .passwordsFrom: "Too many passwords were tried from your address."
        case .codesFrom: "Too many sign-in attempts with unknown codes came from your address."
        case .registrations(let perHour):
            "The maximum number of registrations without an invitation in an hour was reached: \(perHour)."
        }
    }
}
