import HTTPServer
import Model
import Synchronization

/// Who watches: every open stream and every waiting poll, on all event loops. It bounds what one token and one reader hold, so
/// that others find room. Asked when something is opened and closed, never at an event.
final class Watches: Sendable {
    /// Of one reader.
    private struct Held {
        /// By the numbers of their subscriptions, which grow with time.
        var open: [UInt64: (token: ResourceID, streams: Streams)] = [:]
        var counts: [ResourceID: Int] = [:]

        mutating func add(_ owner: UInt64, _ token: ResourceID, _ streams: Streams) {
            open[owner] = (token, streams)
            counts[token, default: 0] += 1
        }

        mutating func remove(_ owner: UInt64) {
            guard let token = open.removeValue(forKey: owner)?.token, let count = counts[token] else { return }
            counts[token] = count > 1 ? count - 1 : nil
        }
    }

    private let perTokenMax: Int
    private let perReaderMax: Int
    private let readers = Mutex<[Int64: Held]>([:])

    init(perTokenMax: Int, perReaderMax: Int) {
        self.perTokenMax = perTokenMax
        self.perReaderMax = perReaderMax
    }

    /// Counts a subscription from now on. Where the viewer has as many as there may be, the oldest one of the same token, or of
    /// the reader, ends for a stream that comes back: it may be the one that the client takes to be broken. What is new is
    /// refused. Who comes by the local socket has no limit.
    func enter(_ owner: UInt64, _ viewer: Viewer, _ streams: Streams, comesBack: Bool) throws(LecternError) {
        guard let token = viewer.token else { return }
        let error = readers.withLock { readers -> LecternError? in
            var held = readers[viewer.readerKey] ?? Held()
            if held.counts[token, default: 0] >= perTokenMax {
                guard comesBack, Self.giveWay(&held, of: token) else {
                    return Self.tooMany("watchesPerTokenMax", perTokenMax)
                }
            } else if held.open.count >= perReaderMax {
                guard comesBack, Self.giveWay(&held, of: nil) else {
                    return Self.tooMany("watchesPerReaderMax", perReaderMax)
                }
            }
            held.add(owner, token, streams)
            readers[viewer.readerKey] = held
            return nil
        }
        if let error { throw error }
    }

    /// The subscription has ended.
    func leave(_ owner: UInt64, _ viewer: Viewer) {
        guard viewer.token != nil else { return }
        readers.withLock { readers in
            readers[viewer.readerKey]?.remove(owner)
            if readers[viewer.readerKey]?.open.isEmpty ?? false { readers[viewer.readerKey] = nil }
        }
    }

    /// Ends the oldest of a token, or of all; false when there is none.
    private static func giveWay(_ held: inout Held, of token: ResourceID?) -> Bool {
        let oldest = held.open.lazy.filter { token == nil || $0.value.token == token }.min { $0.key < $1.key }
        guard let (owner, (_, streams)) = oldest else { return false }
        held.remove(owner)
        streams.loop.execute { streams.giveWay(owner) }
        return true
    }

    private static func tooMany(_ limit: String, _ max: Int) -> LecternError {
        .tooManyRequests(
            limit: limit, max: max,
            "\(max) streams and waiting polls are open, which is the limit \(limit). End one first.",
            retryAfterSeconds: 5)
    }
}
