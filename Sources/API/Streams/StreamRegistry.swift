import HTTPServer
import Model
import Synchronization

/// A registry of every open stream and long poll, on all event loops. It limits the number that one token and one
/// reader have, which leaves some for others. It is used when one opens or closes, never for an event.
final class StreamRegistry: Sendable {
    /// The streams and long polls of one reader.
    private struct ReaderStreams {
        /// The open ones of each token, with numbers that grow with time.
        var open: [ResourceID: [ConnectionID: (streams: OpenStreams, number: Int)]] = [:]
        /// The connections of named streams.
        var named: [ResourceID: (connection: ConnectionID, token: ResourceID)] = [:]
        var count = 0
        var lastNumber = 0

        mutating func add(
            _ connection: ConnectionID, _ token: ResourceID, _ stream: ResourceID?, _ streams: OpenStreams
        ) {
            lastNumber += 1
            open[token, default: [:]][connection] = (streams, lastNumber)
            if let stream { named[stream] = (connection, token) }
            count += 1
        }

        mutating func remove(_ connection: ConnectionID, _ token: ResourceID) {
            guard open[token]?.removeValue(forKey: connection) != nil else { return }
            count -= 1
            if open[token]?.isEmpty ?? false { open[token] = nil }
            if let stream = named.first(where: { $0.value.connection == connection })?.key { named[stream] = nil }
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
        let isTokenFull = own.open[token, default: [:]].count >= perTokenMax
        guard isTokenFull || own.count >= perReaderMax else { return }
        if let former = stream.flatMap({ own.named[$0] }) {
            own.remove(former.connection, former.token)
        } else if !comesBack || !Self.endOldest(&own, of: isTokenFull ? token : nil) {
            throw isTokenFull
                ? Self.tooMany("openStreamsPerTokenMax", perTokenMax)
                : Self.tooMany("openStreamsPerReaderMax", perReaderMax)
        }
    }

    /// Removes a subscription that has ended.
    func leave(_ connection: ConnectionID, _ viewer: Viewer) {
        guard let token = viewer.token else { return }
        readers.withLock { readers in
            readers[viewer.readerKey]?.remove(connection, token)
            if readers[viewer.readerKey]?.count == 0 { readers[viewer.readerKey] = nil }
        }
    }

    /// Ends the oldest subscription of a token, or of the reader. Returns `false` if there is none.
    private static func endOldest(_ own: inout ReaderStreams, of token: ResourceID?) -> Bool {
        let oldest = own.open.lazy.filter { token == nil || $0.key == token }
            .compactMap { token, open in open.min { $0.value.number < $1.value.number }.map { (token, $0) } }
            .min { $0.1.value.number < $1.1.value.number }
        guard let (token, (connection, (streams, _))) = oldest else { return false }
        own.remove(connection, token)
        streams.loop.execute { streams.endForNewStream(connection) }
        return true
    }

    private static func tooMany(_ limit: String, _ max: Int) -> RequestError {
        .exceeded(
            .tooManyRequests, limit: limit, max: max,
            "\(max) streams and waiting polls are open, which is the limit \(limit). End one first.",
            retryAfterSeconds: 5)
    }
}
