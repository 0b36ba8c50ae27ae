import Foundation
import Glibc
import SharedByTests
import Synchronization

/// A stream client that behaves like a browser's `EventSource`: it drops incomplete events, and sends the last id when
/// it reconnects. It can be disconnected after any byte, and stop reading.
final class StreamReader: Sendable {
    struct Event: Sendable {
        var id: String?
        var name = "message"
        var data: String?
        /// The number of the event's connection, from 1.
        var connection: Int
    }

    private struct State {
        var events: [Event] = []
        var lastID: String?
        var heads: [String] = []
        var descriptor: Int32 = -1
        var isOpen = false
        /// The number of bytes that are received before the connection is cut.
        var budget = Int.max
    }

    private let path: String
    private let token: String?
    private let receiveBuffer: Int32?
    private let gate = NSLock()
    private let state = Mutex(State())

    /// Opens a stream. Without a token none is sent, because the path contains a secret.
    init(
        _ service: TestService, _ path: String, token: String? = nil, lastID: String? = nil, receiveBuffer: Int32? = nil
    ) throws {
        (self.path, self.token, self.receiveBuffer) = (path, token, receiveBuffer)
        state.withLock { $0.lastID = lastID }
        try open(service)
    }

    deinit { cut() }

    var events: [Event] { state.withLock { $0.events } }
    var lastID: String? { state.withLock { $0.lastID } }
    var isOpen: Bool { state.withLock { $0.isOpen } }
    /// The number of connections with a response.
    var connection: Int { state.withLock { $0.heads.count } }
    /// The number of the open connection that has delivered all initial events, or `nil`.
    var settled: Int? {
        state.withLock { state in
            guard state.isOpen, let last = state.events.last(where: { $0.id != nil }),
                last.connection == state.heads.count, last.id?.contains(".d") == false
            else { return nil }
            return last.connection
        }
    }
    var status: String { state.withLock { String(($0.heads.last ?? "").prefix(12)) } }

    func pause() { gate.lock() }
    func resume() { gate.unlock() }

    func wait(until condition: (StreamReader) -> Bool) -> Bool { eventually { condition(self) } }

    /// Cuts the connection after this many further bytes.
    func cut(after bytes: Int) { state.withLock { $0.budget = bytes } }

    /// Cuts the connection at once, optionally with a reset.
    func cut(withReset: Bool = false) {
        state.withLock { state in
            guard state.isOpen else { return }
            if withReset {
                var linger = Glibc.linger(l_onoff: 1, l_linger: 0)
                setsockopt(state.descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
                state.budget = 0
            }
            shutdown(state.descriptor, Int32(SHUT_RD))
        }
    }

    /// Reconnects with the last id once the previous connection has ended, and waits for the response's head.
    func open(_ service: TestService) throws {
        cut()
        guard eventually({ !isOpen }) else { throw UnexpectedResponse(text: "the reader does not end") }
        let descriptor = try Loopback.connect(port: service.port, receiveBuffer: receiveBuffer)
        let fields = [
            token.map { "Authorization: Bearer \($0)\r\n" }, lastID.map { "Last-Event-ID: \($0)\r\n" },
        ]
        let request =
            "GET \(path) HTTP/1.1\r\nHost: test\r\nAccept: text/event-stream\r\n\(fields.compactMap { $0 }.joined())\r\n"
        _ = request.withCString { Glibc.send(descriptor, $0, strlen($0), Int32(MSG_NOSIGNAL)) }
        let before = connection
        state.withLock { ($0.descriptor, $0.isOpen, $0.budget) = (descriptor, true, Int.max) }
        Thread { [self] in read(descriptor) }.start()
        guard eventually({ connection > before || !isOpen }) else { throw UnexpectedResponse(text: "no head") }
    }

    private func read(_ descriptor: Int32) {
        var (pending, text): ([UInt8], [UInt8]) = ([], [])
        var chunks: Chunks?
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            gate.withLock {}
            let scenario = min(buffer.count, state.withLock { $0.budget })
            let count = scenario > 0 ? recv(descriptor, &buffer, scenario, 0) : 0
            guard count > 0 else { break }
            state.withLock { $0.budget -= $0.budget == Int.max ? 0 : min(count, $0.budget) }
            if chunks == nil {
                pending += buffer[..<count]
                guard let end = pending.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound else { continue }
                state.withLock { $0.heads.append(String(decoding: pending[..<(end - 4)], as: UTF8.self)) }
                chunks = Chunks()
                text = chunks?.body(of: pending[end...]) ?? []
            } else {
                text += chunks?.body(of: buffer[..<count]) ?? []
            }
            take(&text)
        }
        state.withLock {
            $0.isOpen = false
            close(descriptor)
        }
    }

    /// Removes and handles the complete events in the text.
    private func take(_ text: inout [UInt8]) {
        var start = 0
        var end = 1
        while end < text.count {
            if text[end] == UInt8(ascii: "\n"), text[end - 1] == UInt8(ascii: "\n") {
                receive(String(decoding: text[start..<end], as: UTF8.self))
                start = end + 1
                end = start
            }
            end += 1
        }
        text.removeFirst(start)
    }

    private func receive(_ block: String) {
        state.withLock { state in
            var event = Event(connection: state.heads.count)
            for line in block.utf8.split(separator: UInt8(ascii: "\n")) {
                let line = Substring(line)
                if line.hasPrefix("id: ") { event.id = String(line.dropFirst(4)) }
                if line.hasPrefix("event: ") { event.name = String(line.dropFirst(7)) }
                if line.hasPrefix("data: ") { event.data = String(line.dropFirst(6)) }
            }
            if let id = event.id { state.lastID = id }
            if event.id != nil || event.data != nil { state.events.append(event) }
        }
    }
}
