package import Bytes
package import Model

/// Who makes the password thread work. Each has few of the places in which one waits, so that nobody has them all.
package enum Party: Hashable, Sendable {
    /// A house may share it.
    case address(IPAddress)
    case reader(Int64)
    /// Of a link's secret.
    case link(Digest)

    /// Whether somebody here has let them in before, or is about to.
    var isKnown: Bool { if case .address = self { false } else { true } }

    /// Jobs of it that may wait.
    package var waitingMax: Int {
        switch self {
        case .address: 2
        case .reader, .link: 1
        }
    }
}
