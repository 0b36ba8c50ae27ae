import Foundation
import Glibc
import JSON
import SharedByTests
import Synchronization

/// A subscriber that reads an event stream on its own thread and keeps the events.
final class Watcher: Sendable {
    struct Event: Sendable, Equatable {
        var id: String?
        var name = "message"
        var data = ""
    }

    private struct State {
        var events: [Event] = []
        var head = ""
        var isEnded = false
        var isComplete = false
    }

    private let descriptor: Int32
    /// A lock that is held to stop the reading.
    private let gate = NSLock()
    private let state = Mutex(State())

    init(
        _ service: TestService, _ path: String, token: String? = nil, lastEventID: String? = nil,
        receiveBuffer: Int32? = nil
    ) throws {
        descriptor = try Loopback.connect(port: service.port, receiveBuffer: receiveBuffer)
        let authorization = token == "" ? "" : "Authorization: Bearer \(token ?? service.token)\r\n"
        let last = lastEventID.map { "Last-Event-ID: \($0)\r\n" } ?? ""
        let request = "GET \(path) HTTP/1.1\r\nHost: test\r\nAccept: text/event-stream\r\n\(authorization)\(last)\r\n"
        _ = request.withCString { Glibc.send(descriptor, $0, strlen($0), Int32(MSG_NOSIGNAL)) }
        let thread = Thread { [self] in read() }
        thread.start()
    }

    /// The thread retains the watcher until the stream ends, so no thread reads any more.
    deinit { close(descriptor) }

    /// Cuts the connection without notice to the service.
    func cutOff() -> Bool { cut(descriptor) }

    /// Stops reading after the current read.
    func pause() { gate.lock() }

    /// Continues reading; call it on the thread that paused it.
    func resume() { gate.unlock() }

    var events: [Event] { state.withLock { $0.events } }
    var names: [String] { events.map(\.name) }
    var head: String { state.withLock { $0.head } }
    var status: String { state.withLock { String($0.head.prefix(12)) } }
    var isEnded: Bool { state.withLock { $0.isEnded } }
    /// A Boolean value indicating whether the service completed the stream.
    var isComplete: Bool { state.withLock { $0.isComplete } }
    var lastID: String? { events.last { $0.id != nil }?.id }

    /// Waits until a condition holds, and returns whether it does.
    @discardableResult
    func wait(until condition: (Watcher) -> Bool) -> Bool { eventually { condition(self) } }

    /// Waits for a number of events.
    @discardableResult
    func wait(count: Int) -> Bool { wait { $0.events.count >= count } }

    private func read() {
        var text = ""
        var pending: [UInt8] = []
        var chunks: Chunks?
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            gate.withLock {}
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { break }
            if chunks == nil {
                pending += buffer[..<count]
                guard let end = pending.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound else { continue }
                state.withLock { $0.head = String(decoding: pending[..<(end - 4)], as: UTF8.self) }
                chunks = Chunks()
                pending = chunks?.body(of: pending[end...]) ?? []
            } else {
                pending += chunks?.body(of: buffer[..<count]) ?? []
            }
            guard let end = pending.lastIndex(of: UInt8(ascii: "\n")) else { continue }
            text += String(decoding: pending[...end], as: UTF8.self)
            pending.removeSubrange(...end)
            take(&text)
        }
        let isComplete = chunks?.isComplete ?? false
        state.withLock { ($0.isEnded, $0.isComplete) = (true, isComplete) }
    }

    /// Removes and handles the complete events in the text.
    private func take(_ text: inout String) {
        state.withLock { state in
            while let end = text.range(of: "\n\n") {
                if let event = Self.event(text[..<end.lowerBound]) { state.events.append(event) }
                text.removeSubrange(..<end.upperBound)
            }
        }
    }

    private static func event(_ block: Substring) -> Event? {
        var event = Event()
        // A bookmark only moves the cursor.
        var isEvent = false
        for line in block.split(separator: "\n") {
            if line.hasPrefix("id: ") { event.id = String(line.dropFirst(4)) }
            if line.hasPrefix("event: ") { event.name = String(line.dropFirst(7)) }
            if line.hasPrefix("data: ") { (event.data, isEvent) = (String(line.dropFirst(6)), true) }
        }
        return isEvent && event.name != "bookmark" ? event : nil
    }
}
