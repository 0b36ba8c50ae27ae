/// An incremental decoder of a chunked body (RFC 9112, 7.1), independent of the server's own.
struct Chunks {
    private var line: [UInt8] = []
    /// The missing bytes of the chunk and its line end, or `nil` while its head is incomplete.
    private var left: Int?
    /// A Boolean value indicating whether the last chunk has arrived.
    private(set) var isComplete = false

    mutating func body(of bytes: some Collection<UInt8>) -> [UInt8] {
        var body: [UInt8] = []
        for byte in bytes where !isComplete {
            if let count = left {
                if count > 2 { body.append(byte) }
                left = count > 1 ? count - 1 : nil
            } else if byte == UInt8(ascii: "\n") {
                let count = Int(String(decoding: line.dropLast(), as: UTF8.self), radix: 16) ?? 0
                line = []
                isComplete = count == 0
                left = count + 2
            } else {
                line.append(byte)
            }
        }
        return body
    }
}
