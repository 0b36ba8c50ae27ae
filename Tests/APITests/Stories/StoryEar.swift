import Foundation
import Glibc
import JSON

/// An open event stream that is read on demand.
final class StoryWatcher {
    let name: String
    private let descriptor: Int32
    private var chunks: Chunks?
    private var text: [UInt8] = []

    /// Opens a path; returns when the stream has begun.
    init(_ name: String, _ service: TestService, _ path: String, token: String?) throws {
        self.name = name
        descriptor = try Loopback.connect(port: service.port)
        var time = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
        let authorization = token.map { "Authorization: Bearer \($0)\r\n" } ?? ""
        let request = "GET \(path) HTTP/1.1\r\nHost: test\r\nAccept: text/event-stream\r\n\(authorization)\r\n"
        _ = request.withCString { Glibc.send(descriptor, $0, strlen($0), Int32(MSG_NOSIGNAL)) }
        while chunks == nil {
            try receive()
            guard let end = text.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound else { continue }
            guard text.starts(with: Array("HTTP/1.1 200 ".utf8)) else {
                throw UnexpectedResponse(text: String(decoding: text, as: UTF8.self))
            }
            var chunks = Chunks()
            text = chunks.body(of: text[end...])
            self.chunks = chunks
        }
    }

    deinit { close(descriptor) }

    /// An event, or a cursor.
    struct Event {
        var id = ""
        var name = "message"
        var data: JSONValue?
    }

    /// Returns the next event, or `nil` if the service ended the stream.
    func next() throws -> Event? {
        while true {
            if let end = text.firstRange(of: Array("\n\n".utf8)) {
                defer { text.removeFirst(end.upperBound) }
                return try Self.event(String(decoding: text[..<end.lowerBound], as: UTF8.self))
            }
            if chunks?.isComplete == true { return nil }
            try receive()
        }
    }

    private func receive() throws {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count > 0 else { throw UnexpectedResponse(text: "\(name) hears nothing any more") }
        text += chunks?.body(of: buffer[..<count]) ?? Array(buffer[..<count])
    }

    private static func event(_ block: String) throws -> Event {
        var event = Event()
        for line in block.split(separator: "\n") {
            if line.hasPrefix("id: ") { event.id = String(line.dropFirst(4)) }
            if line.hasPrefix("event: ") { event.name = String(line.dropFirst(7)) }
            if line.hasPrefix("data: ") { event.data = try JSONDocument(Array(line.dropFirst(6).utf8)).root }
        }
        return event
    }
}
