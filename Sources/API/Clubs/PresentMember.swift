import JSON
import Model

/// A present member of a club, with the leases that make them so.
struct PresentMember {
    /// The newest known version of the membership.
    private(set) var member: Member
    let since: Instant
    var leases: [PresenceSignal: PresenceLease] = [:]

    /// Updates the membership, unless a newer version is known.
    mutating func learn(_ member: Member) { if member.version > self.member.version { self.member = member } }

    private var book: ResourceID? {
        leases.values.filter { $0.book != nil }.max { $0.number < $1.number }?.book
    }

    /// The member as others see them, or `nil` if the member shares nothing.
    var shown: SharedPresence? {
        guard !leases.isEmpty else { return nil }
        let (reader, name) = (member.reader, member.name)
        switch member.shares {
        case .exact: return SharedPresence(reader: reader, name: name, book: book, since: since)
        // Milestones are shared without a time. See `Standing.lastReadAt`.
        case .milestones: return SharedPresence(reader: reader, name: name, book: book, since: nil)
        case .finished: return SharedPresence(reader: reader, name: name, book: nil, since: nil)
        case .nothing: return nil
        }
    }

    /// The shared part of a member's presence.
    struct SharedPresence: Equatable, Sendable {
        let reader: ResourceID
        let name: String
        let book: ResourceID?
        let since: Instant?

        func write(to json: inout JSONWriter) {
            json.member("reader", reader)
            json.member("name", name)
            json.member("book", book)
            json.member("since", since)
        }
    }
}

/// The time for which one sign of presence counts, and the book that it names.
struct PresenceLease {
    let token: ResourceID?
    /// The book, or `nil` if only the club is known.
    let book: ResourceID?
    /// A Boolean value indicating whether the book comes from a reading that the club follows. The lease then ends when
    /// the reader's standing for the book is deleted.
    let isOfReading: Bool
    /// The `seq` of the log's newest change when the reader's right to be present was checked. Only later changes end
    /// the lease.
    let asOf: Int64
    /// The end of the lease, in monotonic milliseconds.
    var expiry: Int64
    /// The expiry of the token that gave the sign of presence, in monotonic milliseconds. The lease is not extended
    /// beyond it.
    let latest: Int64
    /// The number of the sign. Later signs have greater numbers.
    let number: UInt64
}

/// A sign of a reader's presence.
enum PresenceSignal: Hashable {
    /// An open stream, by the number of its subscription.
    case stream(UInt64)
    /// The ended streams of a token. Their lease continues until its expiry, so that a client that reconnects soon
    /// stays present.
    case left(token: ResourceID?)
    /// A request with a token, or over the local socket.
    case requested(token: ResourceID?)
}
