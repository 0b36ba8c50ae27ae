import Glibc

/// A persistent, blocking connection to the server under load, with as little overhead as possible. Confined to one
/// thread.
final class BenchConnection {
    let descriptor: Int32
    private var buffer = [UInt8](repeating: 0, count: 1 << 17)

    /// Connects, or returns `nil` if the server does not listen. A small receive buffer makes a reader stall soon.
    init?(port: UInt16, receiveBuffer: Int32? = nil) {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var one: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
        if var bytes = receiveBuffer {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &bytes, socklen_t(MemoryLayout<Int32>.size))
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let code = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        if code != 0 { return nil }
    }

    deinit { close(descriptor) }

    func send(_ bytes: [UInt8]) -> Bool {
        Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
    }

    /// Sends a request and waits for the response. Returns `nil` if the connection closed.
    func exchange(_ request: [UInt8], keepingBody: Bool = false) -> BenchResponse? {
        guard send(request) else { return nil }
        var count = 0
        while true {
            let read = buffer.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress! + count, $0.count - count, 0) }
            guard read > 0 else { return nil }
            count += read
            if let (head, length) = head(count), count >= head + length {
                return BenchResponse(
                    status: status, etag: keepingBody ? field("etag: ", head) ?? "" : "",
                    body: keepingBody ? Array(buffer[head..<head + length]) : [])
            }
            if count == buffer.count { buffer += [UInt8](repeating: 0, count: buffer.count) }
        }
    }

    /// Returns the status of the next response without reading its body, or 0 if the connection closes first.
    func readStatus() -> Int {
        let read = recv(descriptor, &buffer, buffer.count, 0)
        return read >= 12 ? status : 0
    }

    /// Returns the numbers of a stream's events, up to a number or the end. `isOpen` is `false` if the stream closed
    /// first.
    func readEvents(until last: Int) -> (seqs: [Int], isOpen: Bool) {
        var seqs: [Int] = []
        var rest: [UInt8] = []
        while true {
            let size = recv(descriptor, &buffer, buffer.count, 0)
            guard size > 0 else { return (seqs, false) }
            let from = max(0, rest.count - 1)
            rest += buffer[..<size]
            rest.removeFirst(EventScanner.scan(rest, from: from) { seqs.append($0) })
            if let seq = seqs.last, seq >= last { return (seqs, true) }
        }
    }

    private var status: Int { Int(buffer[9] - 48) * 100 + Int(buffer[10] - 48) * 10 + Int(buffer[11] - 48) }

    /// Returns the start and the length of the body, once the head is complete.
    private func head(_ count: Int) -> (Int, Int)? {
        var end = 3
        while end < count, !(buffer[end] == 10 && buffer[end - 2] == 10) { end += 1 }
        guard end < count else { return nil }
        if status == 304 || status == 204 { return (end + 1, 0) }
        return (end + 1, field("content-length: ", end).flatMap { Int($0) } ?? 0)
    }

    /// Returns the value of a field. The name is in lower case, with its colon and space.
    private func field(_ name: String, _ end: Int) -> String? {
        let name = Array(name.utf8)
        var start = 0
        while start + name.count < end {
            if (0..<name.count).allSatisfy({ buffer[start + $0] | 0x20 == name[$0] | 0x20 }) {
                let value = buffer[(start + name.count)..<end].prefix { $0 != 13 }
                return String(decoding: value, as: UTF8.self)
            }
            while start < end, buffer[start] != 10 { start += 1 }
            start += 1
        }
        return nil
    }
}

/// A response: its status, its ETag, its body.
struct BenchResponse {
    let status: Int
    let etag: String
    let body: [UInt8]
}
