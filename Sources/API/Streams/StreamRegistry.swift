import HTTPServer
import Model
import Synchronization

/// A registry of every open stream and long poll, on all event loops. It limits the number that one token and one
/// reader have, which leaves some for others. It is used when one opens or closes, never for an event.
final class StreamRegistry: Sendable {
    /// The streams and long polls of one reader.
    private struct ReaderStreams {
        /// The open ones, with numbers that grow with time, and the ids of named streams.
        var open: [ConnectionID: (token: ResourceID, stream: ResourceID?, streams: OpenStreams, number: Int)] = [:]
        var counts: [ResourceID: Int] = [:]
        var lastNumber = 0

        mutating func add(
            _ connection: ConnectionID, _ token: ResourceID, _ stream: ResourceID?, _ streams: OpenStreams
        ) {
            lastNumber += 1
            open[connection] = (token, stream, streams, lastNumber)
            counts[token, default: 0] += 1
        }

        mutating func remove(_ connection: ConnectionID) {
            guard let token = open.removeValue(forKey: connection)?.token, let count = counts[token] else { return }
            counts[token] = count > 1 ? count - 1 : nil
        }
    }

    private let perTokenMax: Int
    private let perReaderMax: Int
    private let readers = Mutex<[Int64: ReaderStreams]>([:])

    init(perTokenMax: Int, perReaderMax: Int) {
        self.perTokenMax = perTokenMax
        self.perReaderMax = perReaderMax
    }

    /// Adds a subscription. At a limit, a new subscription is refused, unless it takes over a named stream: the former
    /// connection, which ends, is not counted any more. A reconnecting stream instead ends the oldest one of the token,
    /// or of the reader: it may be the one that the client considers broken. Clients of the local socket have no limit.
    func enter(
        _ connection: ConnectionID, _ viewer: Viewer, _ streams: OpenStreams, comesBack: Bool = false,
        replacing stream: ResourceID? = nil
    ) throws(RequestError) {
        guard let token = viewer.token else { return }
        try readers.withLock { readers throws(RequestError) in
            // The reader's streams are changed in place: a copy would make each new one cost as much as all of them.
            let key = viewer.readerKey
            try makeRoom(for: stream, token, comesBack: comesBack, in: &readers[key, default: ReaderStreams()])
            readers[key]?.add(connection, token, stream, streams)
        }
    }

    private func makeRoom(
        for stream: ResourceID?, _ token: ResourceID, comesBack: Bool, in own: inout ReaderStreams
    ) throws(RequestError) {
        let isTokenFull = own.counts[token, default: 0] >= perTokenMax
        guard isTokenFull || own.open.count >= perReaderMax else { return }
        if let former = own.open.first(where: { stream != nil && $0.value.stream == stream }) {
            own.remove(former.key)
        } else if !comesBack || !Self.endOldest(&own, of: isTokenFull ? token : nil) {
            throw isTokenFull
                ? Self.tooMany("openStreamsPerTokenMax", perTokenMax)
                : Self.tooMany("openStreamsPerReaderMax", perReaderMax)
        }
    }

    /// Removes a subscription that has ended.
    func leave(_ connection: ConnectionID, _ viewer: Viewer) {
        guard viewer.token != nil else { return }
        readers.withLock { readers in
            readers[viewer.readerKey]?.remove(connection)
            if readers[viewer.readerKey]?.open.isEmpty ?? false { readers[viewer.readerKey] = nil }
        }
    }

    /// Ends the oldest subscription of a token, or of the reader. Returns `false` if there is none.
    private static func endOldest(_ own: inout ReaderStreams, of token: ResourceID?) -> Bool {
        let oldest = own.open.lazy.filter { token == nil || $0.value.token == token }.min {
            $0.value.number < $1.value.number
        }
        guard let (connection, former) = oldest else { return false }
        own.remove(connection)
        former.streams.loop.execute { former.streams.endForNewStream(connection) }
        return true
    }

    private static func tooMany(_ limit: String, _ max: Int) -> RequestError {
        .exceeded(
            .tooManyRequests, limit: limit, max: max,
            "\(max) streams and waiting polls are open, which is the limit \(limit). End one first.",
            retryAfterSeconds: 5)
    }
}
