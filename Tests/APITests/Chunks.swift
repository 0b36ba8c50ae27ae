/// Takes a body out of its chunks, as bytes of it come (RFC 9112, 7.1). It knows nothing of the server's own decoder.
struct Chunks {
    private var line: [UInt8] = []
    /// Bytes of the chunk that are still to come, and the line end after them; nil while its head is.
    private var left: Int?
    /// The last chunk has come.
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
