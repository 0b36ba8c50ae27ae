internal import CDigest
public import JSON

/// SHA-256 (FIPS 180-4), for tokens and request digests. Nothing else in the toolchain has it.
public struct SHA256: Sendable {
    private var state: SIMD8<UInt32> = [
        0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
    ]
    /// The last bytes, fewer than 64, which wait for the rest of their block.
    private var rest: [UInt8] = []
    private var byteCount: UInt64 = 0

    /// Creates a hash of no bytes.
    public init() {}

    /// Returns the digest of some bytes.
    public static func digest(of bytes: RawSpan) -> SHA256Digest {
        var hash = SHA256()
        hash.update(bytes)
        return hash.digest()
    }

    /// Returns the digest of some bytes.
    public static func digest(of bytes: [UInt8]) -> SHA256Digest { digest(of: bytes.span.bytes) }

    /// Adds some bytes.
    public mutating func update(_ bytes: RawSpan) {
        byteCount += UInt64(bytes.byteCount)
        var start = 0
        if !rest.isEmpty {
            start = min(64 - rest.count, bytes.byteCount)
            keep(bytes.extracting(0..<start))
            guard rest.count == 64 else { return }
            rest.withUnsafeBytes { Self.compress($0, into: &state) }
            rest = []
        }
        let end = start + (bytes.byteCount - start) / 64 * 64
        bytes.extracting(start..<end).withUnsafeBytes { Self.compress($0, into: &state) }
        keep(bytes.extracting(end..<bytes.byteCount))
    }

    /// Returns the digest of all bytes added so far. Pads as in FIPS 180-4, 5.1.1: a one bit, zeros, and the length in
    /// bits.
    public func digest() -> SHA256Digest {
        let count = rest.count < 56 ? 64 : 128
        var (state, block) = (state, rest + [0x80] + [UInt8](repeating: 0, count: count - rest.count - 1))
        block.withUnsafeMutableBytes { block in
            block.storeBytes(of: (byteCount * 8).bigEndian, toByteOffset: count - 8, as: UInt64.self)
            Self.compress(UnsafeRawBufferPointer(block), into: &state)
        }
        return SHA256Digest(words: state)
    }

    private mutating func keep(_ bytes: RawSpan) { bytes.withUnsafeBytes { rest.append(contentsOf: $0) } }

    /// Adds whole blocks of 64 bytes.
    private static func compress(_ blocks: UnsafeRawBufferPointer, into state: inout SIMD8<UInt32>) {
        withUnsafeMutableBytes(of: &state) {
            lectern_sha256($0.bindMemory(to: UInt32.self).baseAddress, blocks.baseAddress, blocks.count / 64)
        }
    }
}

/// The 32 bytes of a SHA-256.
public struct SHA256Digest: Hashable, Sendable {
    /// The eight words, most significant first.
    public let words: SIMD8<UInt32>

    /// Creates a digest from its words.
    public init(words: SIMD8<UInt32>) { self.words = words }

    /// The 32 bytes in order.
    public var bytes: [UInt8] {
        (0..<8).flatMap { index in
            stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: words[index] >> UInt32($0)) }
        }
    }

    /// Hashes two words only: a digest is random bits already, so two words hash as well as all.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(words[0])
        hasher.combine(words[1])
    }
}

/// Stored, and never sent or received.
extension SHA256Digest: StorableValue {
    public var cell: DatabaseValue { .digest(self) }
    public init?(cell: DatabaseValue) { if case .digest(let digest) = cell { self = digest } else { return nil } }
    public func write(to json: inout JSONWriter) { json.null() }
    public init?(json: JSONValue) { nil }
}
