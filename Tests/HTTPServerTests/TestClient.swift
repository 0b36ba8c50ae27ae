import CLinux
import Foundation
import Glibc
import HTTPServer
import SharedByTests

/// A client that sends exact bytes. Reads give up after `patienceSeconds`.
final class TestClient: Sendable {
    let descriptor: Int32

    init(port: UInt16, receiveBuffer: Int32? = nil) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        if var receiveBuffer { setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &receiveBuffer, 4) }
        let code = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, 16) }
        }
        try finish(code)
    }

    init(unix path: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let code = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try finish(code)
    }

    deinit { close(descriptor) }

    private func finish(_ code: Int32) throws {
        if code != 0 { throw HTTPServerError.system(call: "connect", code: errno) }
        var time = timeval(tv_sec: patienceSeconds, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
        var one: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, 4)
    }

    @discardableResult
    func send(_ text: String) -> Bool { send(latin1(text)) }

    @discardableResult
    func send(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count <= 0 { return false }
            sent += count
        }
        return true
    }

    /// Returns the next bytes, or `nil` at the end or after the timeout.
    func read() -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 65536)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        return count > 0 ? Array(buffer[..<count]) : nil
    }

    /// Returns the received text up to these characters; more may have arrived with them.
    func read(until end: String) -> String {
        var text = ""
        while !text.contains(end), let bytes = read() { text += String(decoding: bytes, as: UTF8.self) }
        return text
    }

    /// Returns one response with a Content-Length.
    func readResponse() -> String {
        var bytes: [UInt8] = []
        while true {
            let text = String(decoding: bytes, as: UTF8.self)
            if let end = text.utf8Range(of: "\r\n\r\n") {
                let length = text.field("Content-Length").flatMap { Int($0) } ?? 0
                if bytes.count >= end + length { return text }
            }
            guard let more = read() else { return text }
            bytes += more
        }
    }

    func readAll() -> String {
        var bytes: [UInt8] = []
        while let more = read() { bytes += more }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// A Boolean value indicating whether the server closed the connection, regularly or with a reset.
    var isClosed: Bool {
        var byte: UInt8 = 0
        let count = recv(descriptor, &byte, 1, 0)
        return count == 0 || (count < 0 && errno == ECONNRESET)
    }

    func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Closes with a reset.
    func reset() {
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
    }

    /// The local port of the connection.
    var port: UInt16 {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) {
            _ = $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        return UInt16(bigEndian: address.sin_port)
    }

    /// Returns whether the kernel still has the server's side of the connection of a client at this port. On a busy
    /// machine a reset arrives after `close` has returned.
    static func isConnected(_ port: UInt16) -> Bool {
        let digits = String(port, radix: 16, uppercase: true)
        let address = "0100007F:" + String(repeating: "0", count: 4 - digits.count) + digits
        let table = (try? String(contentsOfFile: "/proc/net/tcp", encoding: .utf8)) ?? ""
        return table.split(separator: "\n").contains { $0.split(separator: " ").dropFirst(2).first == address[...] }
    }
}

extension String {
    /// Returns the offset after the first occurrence.
    func utf8Range(of text: String) -> Int? {
        let all = [UInt8](utf8)
        let wanted = [UInt8](text.utf8)
        guard all.count >= wanted.count else { return nil }
        for start in 0...(all.count - wanted.count) where Array(all[start..<(start + wanted.count)]) == wanted {
            return start + wanted.count
        }
        return nil
    }

    func field(_ name: String) -> String? {
        for line in split(separator: "\r\n") where line.hasPrefix(name + ": ") {
            return String(line.dropFirst(name.count + 2))
        }
        return nil
    }

    /// The status codes of all responses in the text.
    var statuses: [Int] {
        split(separator: "HTTP/1.1 ", omittingEmptySubsequences: false).dropFirst().compactMap { Int($0.prefix(3)) }
    }
}

/// The process's open sockets.
enum Descriptors {
    /// Returns the number of sockets bound to this local TCP port.
    static func count(port: UInt16) -> Int {
        (0..<Int32(4096)).count { descriptor in
            var address = sockaddr_in()
            var size = socklen_t(MemoryLayout<sockaddr_in>.size)
            let code = withUnsafeMutablePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
            }
            return code == 0 && address.sin_family == sa_family_t(AF_INET)
                && UInt16(bigEndian: address.sin_port) == port
        }
    }
}
