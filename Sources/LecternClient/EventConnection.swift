import Model
import Outbound

/// The successive connections of one stream. Confined to the task that reads it.
package final class EventConnection {
    private enum Phase {
        case idle
        case open(HTTPDownload)
        case waiting(Duration)
        case ended
    }

    private let client: LecternClient
    private let paths: [String]
    /// The query that sets the start of the stream.
    private let beginning: String
    /// The path of the stream, or `nil` while several paths have no stream.
    private var path: String?
    private var parser: EventParser
    private var backoff = ReconnectionBackoff()
    private var random = SystemRandomNumberGenerator()
    private var phase = Phase.idle
    private var isLive = false
    /// The steps that are not consumed yet, the next one last.
    private var ready: [EventStreamStep] = [.connection(.connecting)]
    /// The events of a change before its last one, which carries the id. After a disconnection they are sent again.
    private var held: [(name: String, data: [UInt8])] = []

    package init(_ stream: EventStream) {
        client = stream.client
        // Only the query can express the beginning of the log.
        beginning = stream.cursor == "" ? "after=" : ""
        paths = stream.paths
        if paths.count == 1 { path = paths[0] }
        parser = EventParser(lastID: stream.cursor ?? "")
    }

    deinit { if case .open(let download) = phase { download.cancel() } }

    /// Returns the next event or change of the connection's state. The last one is the state `ended`.
    package func next() async -> EventStreamStep? {
        while !Task.isCancelled {
            if let step = ready.popLast() { return step }
            switch phase {
            case .idle: await connect()
            case .open(let download): await read(download)
            case .waiting(let time):
                phase = .idle
                // A cancelled task ends with the loop.
                try? await Task.sleep(for: time)
            case .ended: return nil
            }
        }
        close()
        return nil
    }

    private func connect() async {
        parser = EventParser(lastID: parser.lastID)
        let download: HTTPDownload
        do throws(LecternClientError) {
            let path = try await openedPath()
            download = try client.open(path, after: parser.lastID)
        } catch { return fail(with: error) }
        phase = .open(download)
        do throws(HTTPClientError) {
            let head = try await download.head()
            if head.status != 200 {
                refuse(ClientResponse(try await download.whole(bytesMax: 1 << 20)))
            } else if head.fields["content-type"]?.hasPrefix("text/event-stream") != true {
                end(.failed(.misunderstood("\(paths.first ?? "") does not return an event stream")))
            }
        } catch { pause(error.description) }
    }

    /// Returns the path to open. Several paths get a stream first, and another one when its lease has ended. The new
    /// stream resumes at the same position of the log, or begins with a `reset` if the former stream's ids do not
    /// suffice.
    private func openedPath() async throws(LecternClientError) -> String {
        var opened = path ?? ""
        if path == nil {
            opened = try await client.createStream(of: paths)
            if let place = StreamCursor(parser.lastID)?.place { parser = EventParser(lastID: place.description) }
            path = opened
        }
        return beginning.isEmpty ? opened : opened + (opened.contains("?") ? "&" : "?") + beginning
    }

    private func refuse(_ answer: ClientResponse) {
        if answer.status == 204 { return end(.done) }
        let problem = Problem(answer)
        if problem.kind == .streamUnknown, paths.count > 1 {
            path = nil
            return pause(problem.description)
        }
        fail(with: .refused(problem))
    }

    /// Ends with an error, or waits if the error may be temporary.
    private func fail(with error: LecternClientError) {
        switch error {
        case .unreachable(let why): pause(why)
        case .refused(let problem) where problem.passes:
            pause(problem.description, atLeastSeconds: problem.retryAfterSeconds ?? 0)
        default: end(.failed(error))
        }
    }

    private func read(_ download: HTTPDownload) async {
        let blocks: [EventBlock]
        do throws(HTTPClientError) {
            guard let bytes = try await download.next() else { return pause("the server ended the stream") }
            do throws(EventParser.TooLong) { blocks = try parser.take(bytes) } catch {
                return end(.failed(.misunderstood("\(paths.first ?? "") sends an event that is too long")))
            }
        } catch { return pause(error.description) }
        var steps: [EventStreamStep] = []
        for block in blocks {
            let events = events(with: block)
            steps += events.map { .event($0) }
            if let reason = events.lazy.compactMap(\.ending).first {
                end(reason)
                ready = (steps + ready).reversed()
                return
            }
        }
        // A proxy whose server is down may respond with a stream that ends at once.
        if !isLive, !blocks.isEmpty || !download.hasEnded {
            isLive = true
            steps.append(.connection(.live))
        }
        backoff.apply(parser.retryMilliseconds, isLive: isLive)
        ready = steps.reversed()
    }

    /// Returns the events that are complete with a block.
    private func events(with block: EventBlock) -> [Event] {
        if let data = block.data, block.name != "bookmark" { held.append((block.name, data)) }
        let isAlone = held.count == 1 && Event.isComplete(block.name)
        guard block.hasID || isAlone || Event.isLast(block.name) else { return [] }
        defer { held = [] }
        return held.map { Event(name: $0.name, data: $0.data, cursor: block.lastID) }
    }

    private func pause(_ why: String, atLeastSeconds: Int = 0) {
        close()
        phase = .waiting(backoff.next(atLeastSeconds: atLeastSeconds, using: &random))
        ready = [.connection(.offline(why))]
    }

    private func end(_ reason: StreamEndReason) {
        close()
        phase = .ended
        ready = [.connection(.ended(reason))]
    }

    private func close() {
        if case .open(let download) = phase { download.cancel() }
        isLive = false
        held = []
    }
}
