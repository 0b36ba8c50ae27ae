/// The events of what is watched, without end: a connection that breaks is made again, and goes on where it was. Each event
/// comes once, in the order of the log.
///
/// It ends when the server has nothing more to say, or its task is cancelled, and throws when the server refuses it.
public struct EventStream: AsyncSequence, Sendable {
    public typealias Element = Event
    public typealias Failure = LecternClientError

    let client: LecternClient
    let paths: [String]
    let cursor: String?

    init(client: LecternClient, paths: [String], after cursor: String?) {
        (self.client, self.paths, self.cursor) = (client, paths, cursor)
    }

    public func makeAsyncIterator() -> Iterator { Iterator(steps: steps.makeAsyncIterator()) }

    /// The same with what becomes of the connection in between.
    package var steps: Steps { Steps(stream: self) }

    public struct Iterator: AsyncIteratorProtocol {
        var steps: Steps.Iterator

        public mutating func next() async throws(LecternClientError) -> Event? { try await next(isolation: nil) }

        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(LecternClientError) -> Event? {
            while let step = await steps.next(isolation: actor) {
                switch step {
                case .event(let event): return event
                case .connection(.ended(.failed(let error))): throw error
                case .connection: break
                }
            }
            return nil
        }
    }

    /// An event, or what became of the connection. The last one is that it has ended.
    package struct Steps: AsyncSequence, Sendable {
        package enum Step: Sendable {
            case event(Event)
            case connection(ConnectionState)
        }

        package typealias Element = Step
        package typealias Failure = Never

        let stream: EventStream

        package func makeAsyncIterator() -> Iterator { Iterator(connection: EventConnection(stream)) }

        package struct Iterator: AsyncIteratorProtocol {
            let connection: EventConnection

            package mutating func next() async -> Step? { await next(isolation: nil) }

            package mutating func next(isolation actor: isolated (any Actor)?) async -> Step? {
                await connection.next()
            }
        }
    }
}

/// How what is watched is connected to the server.
public enum ConnectionState: Sendable {
    case connecting
    /// What is shown is what there is.
    case live
    /// What is shown is what was there last; the connection is tried again by itself.
    case offline(String)
    /// Nothing more comes.
    case ended(Reason)

    /// Why nothing more comes.
    public enum Reason: Sendable {
        /// The server has nothing more to say.
        case done
        /// The stream's right is over: its token was revoked, or has expired.
        case over(String)
        /// Another connection has the stream now.
        case taken
        /// It is not to be seen, or not there.
        case failed(LecternClientError)
    }
}
