import Glibc
import SharedByTests

/// A connection that sends exact bytes. Reads give up after `patienceSeconds`.
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

    /// Closes the sending side, as a client does that closes the connection.
    func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Returns the received text up to these characters, or to the end; more may have arrived with them.
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

    /// Returns everything that is received until the server closes the connection.
    func answer(to request: String) -> String {
        send(request)
        return read(until: "\u{0}")
    }

    /// Returns the head of a response, and any part of its body that arrived with it.
    func head(_ request: String) -> String {
        send(request)
        return read(until: "\r\n\r\n")
    }
}
