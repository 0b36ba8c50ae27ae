import JSON
import Model

/// A member of a club who reads now, and what says so.
struct Present {
    /// What says that a reader is there.
    enum Sign: Hashable {
        /// An open stream, by the number of its subscription.
        case stream(UInt64)
        /// Streams of a token that have ended: who comes back within the lease was never away.
        case left(token: ResourceID?)
        /// A request with a token, or over the local socket.
        case said(token: ResourceID?)
    }

    /// How long a sign holds, and what it tells.
    struct Lease {
        let token: ResourceID?
        /// What is read; nil where only the club is known.
        let book: ResourceID?
        /// Whether that follows from a reading which the club follows: then it ends with the standing.
        let isOfReading: Bool
        /// The `seq` of the last change before it was looked up whether there may be one: what an earlier change took away is another.
        let asOf: Int64
        /// Monotonic milliseconds.
        var expiry: Int64
        /// When the token ends, with which the sign was made.
        let latest: Int64
        /// Signs that came later have greater ones.
        let number: UInt64
    }

    let reader: ResourceID
    private(set) var name: String
    private(set) var shares: Member.Sharing
    /// Of the membership.
    private(set) var version: Int64
    let since: Instant
    var leases: [Sign: Lease] = [:]

    init(_ member: Member, since: Instant) {
        (reader, name, shares, version) = (member.reader, member.name, member.shares, member.version)
        self.since = since
    }

    /// Takes over what a member is called and shares, unless something newer is known.
    mutating func learn(name: String, shares: Member.Sharing, version: Int64) {
        guard version > self.version else { return }
        (self.name, self.shares, self.version) = (name, shares, version)
    }

    private var book: ResourceID? {
        leases.values.filter { $0.book != nil }.max { $0.number < $1.number }?.book
    }

    /// What the others see; nil for who is there and shares nothing.
    var shown: Shown? {
        guard !leases.isEmpty else { return nil }
        switch shares {
        case .exact: return Shown(reader: reader, name: name, book: book, since: since)
        // What is shared of a reading says nothing of when: see `Standing.lastReadAt`.
        case .milestones: return Shown(reader: reader, name: name, book: book, since: nil)
        case .finished: return Shown(reader: reader, name: name, book: nil, since: nil)
        case .nothing: return nil
        }
    }

    /// As far as it is shared.
    struct Shown: Equatable, Sendable {
        let reader: ResourceID
        let name: String
        let book: ResourceID?
        let since: Instant?

        func write(to json: inout JSONWriter) {
            json.beginObject()
            json.name("reader")
            json.id(reader)
            json.name("name")
            json.string(name)
            json.name("book")
            json.value(book)
            json.name("since")
            json.value(since)
            json.endObject()
        }
    }
}
