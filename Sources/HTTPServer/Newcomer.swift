/// An accepted connection that no loop has taken over yet.
struct Newcomer: Sendable {
    let descriptor: Int32
    /// The user at the other end of a Unix socket; -1 for TCP.
    let peer: Int64

    var isUnix: Bool { peer >= 0 }
}
