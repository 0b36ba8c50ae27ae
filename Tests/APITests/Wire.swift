import Glibc
import SharedByTests

/// A connection that sends exactly the bytes it is told to. Reads give up after `patienceSeconds`.
final class Wire {
    private let descriptor: Int32

    convenience init(_ service: TestService) throws { try self.init(port: service.port) }

    init(port: UInt16) throws {
        descriptor = try Loopback.connect(port: port)
        var time = timeval(tv_sec: patienceSeconds, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(descriptor) }

    func send(_ text: String) { _ = text.withCString { Glibc.send(descriptor, $0, strlen($0), Int32(MSG_NOSIGNAL)) } }

    /// What comes until these characters have, or the end; more may have come with them.
    func read(until end: String) -> String {
        let end = Array(end.utf8)
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let start = max(0, bytes.count - end.count)
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { break }
            bytes += buffer[..<count]
            if bytes[start...].firstRange(of: end) != nil { break }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// All that comes until the server ends the connection.
    func answer(to request: String) -> String {
        send(request)
        return read(until: "\u{0}")
    }

    /// The head of an answer, and what of a body came with it.
    func head(_ request: String) -> String {
        send(request)
        return read(until: "\r\n\r\n")
    }
}
