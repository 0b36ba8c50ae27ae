/// The endless events of the watched URLs. A broken connection is opened again and resumes. Each event is delivered
/// once, in the order of the log.
///
/// The sequence ends when the server closes the stream for good, or its task is cancelled. It throws when the server
/// refuses it.
public struct EventStream: AsyncSequence, Sendable {
    public typealias Element = Event
    public typealias Failure = LecternClientError

    let client: LecternClient
    let paths: [String]
    let cursor: String?

    init(client: LecternClient, paths: [String], after cursor: String?) {
        (self.client, self.paths, self.cursor) = (client, paths, cursor)
    }

    public func makeAsyncIterator() -> Iterator { Iterator(connection: EventConnection(self)) }

    public struct Iterator: AsyncIteratorProtocol {
        let connection: EventConnection

        public mutating func next() async throws(LecternClientError) -> Event? { try await next(isolation: nil) }

        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(LecternClientError) -> Event? {
            while let step = await connection.next() {
                switch step {
                case .event(let event): return event
                case .connection(.ended(.failed(let error))): throw error
                case .connection: break
                }
            }
            return nil
        }
    }
}

/// An event, or a change of the connection's state.
package enum EventStreamStep: Sendable {
    case event(Event)
    case connection(ConnectionState)
}

/// The state of a stream's connection to the server.
public enum ConnectionState: Sendable {
    case connecting
    /// The shown values are current.
    case live
    /// The shown values are the last known ones; the client reconnects on its own.
    case offline(String)
    /// The stream has ended for good.
    case ended(StreamEndReason)
}

/// The reason why a stream ended.
public enum StreamEndReason: Sendable {
    /// The server has nothing more to send.
    case done
    /// The server ended the stream for the given reason, for example because the token was revoked.
    case endedByServer(String)
    /// Another connection has taken over the stream.
    case taken
    /// The resource is not visible, or does not exist.
    case failed(LecternClientError)
}
