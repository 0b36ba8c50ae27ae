package import Bytes
package import Model

/// The party that causes work for the password thread. Each party may occupy few places of the queue, so none can fill
/// it.
package enum PasswordClient: Hashable, Sendable {
    /// An address, which a household may share.
    case address(IPAddress)
    case reader(Int64)
    /// The digest of a link's secret.
    case link(SHA256Digest)

    /// A Boolean value indicating whether the party is a reader, or has a link from one.
    var isKnown: Bool { if case .address = self { false } else { true } }

    /// The maximum number of the party's waiting jobs.
    package var waitingMax: Int { isKnown ? 1 : 2 }
}
