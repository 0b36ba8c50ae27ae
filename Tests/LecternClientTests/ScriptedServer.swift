import Foundation
import Glibc
import Synchronization

/// A server that answers each connection with the next text of a script, byte for byte. It then closes the connection,
/// unless the text leaves it open. After the script it stops listening.
final class ScriptedServer: Sendable {
    struct Answer: Sendable {
        var text: String
        /// The text that follows when the test asks for it.
        var then = ""
        var staysOpen = false

        /// Returns the events of a stream, which is then cut.
        static func stream(_ events: String, then: String = "", staysOpen: Bool = false) -> Answer {
            Answer(
                text: "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\nretry: 100\n"
                    + events,
                then: then,
                staysOpen: staysOpen)
        }

        static func status(_ status: String, _ fields: String = "", body: String = "") -> Answer {
            Answer(
                text:
                    "HTTP/1.1 \(status)\r\nConnection: close\r\n\(fields)Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
            )
        }
    }

    let port: Int
    private let seen = Mutex<[String]>([])
    private let hungUp = Atomic(false)
    private let sent = Atomic(0)
    private let given = DispatchSemaphore(value: 0)

    init(_ answers: [Answer]) {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                precondition(bind(listener, $0, size) == 0 && listen(listener, 16) == 0)
                getsockname(listener, $0, &size)
            }
        }
        port = Int(UInt16(bigEndian: address.sin_port))
        Thread { [self] in
            for answer in answers {
                let descriptor = accept(listener, nil, nil)
                Thread { self.serve(descriptor, answer) }.start()
            }
            close(listener)
        }.start()
    }

    /// The heads of the requests.
    var requests: [String] { seen.withLock { $0 } }

    /// A Boolean value indicating whether the client closed a connection that was left open.
    var wasLeft: Bool { hungUp.load(ordering: .acquiring) }

    /// Sends the rest of an open response.
    func proceed() { given.signal() }

    /// The number of bytes sent.
    var bytesSent: Int { sent.load(ordering: .relaxed) }

    private func serve(_ descriptor: Int32, _ answer: Answer) {
        var request = ""
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        func receive() -> Bool {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count > 0 { request += String(decoding: buffer[..<count], as: UTF8.self) }
            return count > 0
        }
        while !request.contains("\r\n\r\n"), receive() {}
        let length = request.firstMatch(of: #/Content-Length: (\d+)/#).flatMap { Int($0.1) } ?? 0
        while let end = request.range(of: "\r\n\r\n"), request[end.upperBound...].utf8.count < length, receive() {}
        seen.withLock { $0.append(request) }
        give(answer.text, to: descriptor)
        if !answer.then.isEmpty {
            given.wait()
            give(answer.then, to: descriptor)
        }
        if answer.staysOpen {
            while receive() {}
            hungUp.store(true, ordering: .releasing)
        }
        close(descriptor)
    }

    private func give(_ text: String, to descriptor: Int32) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
            sent.add(count, ordering: .relaxed)
        }
    }
}
