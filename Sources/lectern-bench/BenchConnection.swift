import Glibc

/// A persistent, blocking connection to the server under load, with as little overhead as possible. Confined to one
/// thread.
final class BenchConnection {
    let descriptor: Int32
    private var buffer = [UInt8](repeating: 0, count: 1 << 17)
    /// The place of the last response's body in the buffer.
    private var place = 0..<0

    /// Connects, or returns `nil` if the server does not listen.
    init?(port: UInt16) {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var one: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
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

    /// Sends a request, waits for the response, and returns its status, or `nil` if the connection closed.
    func exchange(_ request: [UInt8]) -> Int? {
        guard send(request) else { return nil }
        var count = 0
        while true {
            let read = buffer.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress! + count, $0.count - count, 0) }
            guard read > 0 else { return nil }
            count += read
            if let body = body(count), count >= body.upperBound {
                place = body
                return status
            }
            if count == buffer.count { buffer += [UInt8](repeating: 0, count: buffer.count) }
        }
    }

    /// The body of the last response of `exchange`.
    var body: [UInt8] { Array(buffer[place]) }

    private var status: Int { Int(buffer[9] - 48) * 100 + Int(buffer[10] - 48) * 10 + Int(buffer[11] - 48) }

    /// Returns the place of the body, once the first `count` bytes contain the whole head.
    private func body(_ count: Int) -> Range<Int>? {
        buffer.withUnsafeBytes { buffer in
            guard let start = buffer.offset(after: "\r\n\r\n", in: 0..<count) else { return nil }
            var length = 0
            if var digit = buffer.offset(after: "\r\nContent-Length: ", in: 0..<start) {
                while buffer[digit] != 13 {
                    length = length * 10 + Int(buffer[digit] - 48)
                    digit += 1
                }
            }
            return start..<start + length
        }
    }
}

extension UnsafeRawBufferPointer {
    /// Returns the offset after the first occurrence of a text in a range, or `nil` if there is none.
    func offset(after text: StaticString, in range: Range<Int>) -> Int? {
        let count = text.utf8CodeUnitCount
        var start = range.lowerBound
        while let found = memchr(baseAddress! + start, Int32(text.utf8Start.pointee), range.upperBound - start) {
            start = UnsafeRawPointer(found) - baseAddress! + 1
            guard start - 1 + count <= range.upperBound else { return nil }
            if memcmp(found, text.utf8Start, count) == 0 { return start - 1 + count }
        }
        return nil
    }
}
