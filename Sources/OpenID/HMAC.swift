import Model

/// An HMAC with SHA-256 (RFC 2104), which proves the knowledge of a key.
struct HMAC {
    private let inner: [UInt8]
    private let outer: [UInt8]

    /// Creates an HMAC with a key of at most 64 bytes.
    init(key: [UInt8]) {
        precondition(key.count <= 64, "a longer key would have to be hashed first")
        let block = key + Array(repeating: 0, count: 64 - key.count)
        inner = block.map { $0 ^ 0x36 }
        outer = block.map { $0 ^ 0x5C }
    }

    func code(of bytes: [UInt8]) -> [UInt8] {
        SHA256.digest(of: outer + SHA256.digest(of: inner + bytes).bytes).bytes
    }
}
