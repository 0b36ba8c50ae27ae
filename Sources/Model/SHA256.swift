public import JSON

/// SHA-256 (FIPS 180-4), for tokens and request digests: nothing else in the toolchain has it.
public struct SHA256: Sendable {
    private static let constants: [UInt32] = [
        0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
        0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
        0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
        0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
        0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
        0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
        0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
        0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
    ]

    fileprivate var state: SIMD8<UInt32> = [
        0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
    ]

    /// The digest of some bytes.
    public static func digest(of bytes: RawSpan) -> Digest {
        var hash = SHA256()
        let whole = bytes.byteCount / 64 * 64
        hash.compress(blocks: bytes.extracting(0..<whole))
        hash.finish(rest: bytes.extracting(whole..<bytes.byteCount), bitCount: UInt64(bytes.byteCount) * 8)
        return Digest(words: hash.state)
    }

    /// The digest of some bytes.
    public static func digest(of bytes: [UInt8]) -> Digest { digest(of: bytes.span.bytes) }

    /// Takes whole blocks of 64 bytes.
    fileprivate mutating func compress(blocks bytes: RawSpan) {
        for offset in stride(from: 0, to: bytes.byteCount, by: 64) {
            compress {
                UInt32(bigEndian: bytes.unsafeLoadUnaligned(fromByteOffset: offset + $0 * 4, as: UInt32.self))
            }
        }
    }

    /// Pads as FIPS 180-4, 5.1.1 says: a one bit, zeros, the length in bits.
    fileprivate mutating func finish(rest: RawSpan, bitCount: UInt64) {
        withUnsafeTemporaryAllocation(byteCount: 128, alignment: 8) { block in
            block.initializeMemory(as: UInt8.self, repeating: 0)
            for offset in 0..<rest.byteCount { block[offset] = rest.unsafeLoad(fromByteOffset: offset, as: UInt8.self) }
            block[rest.byteCount] = 0x80
            let count = rest.byteCount < 56 ? 64 : 128
            block.storeBytes(of: bitCount.bigEndian, toByteOffset: count - 8, as: UInt64.self)
            for start in stride(from: 0, to: count, by: 64) {
                compress { UInt32(bigEndian: block.load(fromByteOffset: start + $0 * 4, as: UInt32.self)) }
            }
        }
    }

    private mutating func compress(_ word: (Int) -> UInt32) {
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { schedule in
            for index in 0..<16 { schedule.initializeElement(at: index, to: word(index)) }
            for index in 16..<64 {
                let (early, late) = (schedule[index - 15], schedule[index - 2])
                let first = rotate(early, 7) ^ rotate(early, 18) ^ early >> 3
                let second = rotate(late, 17) ^ rotate(late, 19) ^ late >> 10
                schedule.initializeElement(
                    at: index, to: schedule[index - 16] &+ first &+ schedule[index - 7] &+ second)
            }
            Self.constants.withUnsafeBufferPointer { rounds(schedule, $0) }
        }
    }

    private mutating func rounds(
        _ schedule: UnsafeMutableBufferPointer<UInt32>, _ constants: UnsafeBufferPointer<UInt32>
    ) {
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        for index in 0..<64 {
            let choice = e & f ^ ~e & g
            let first =
                h &+ (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) &+ choice &+ constants[index] &+ schedule[index]
            let majority = a & b ^ a & c ^ b & c
            let second = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) &+ majority
            (h, g, f, e, d, c, b, a) = (g, f, e, d &+ first, c, b, a, first &+ second)
        }
        state &+= SIMD8(a, b, c, d, e, f, g, h)
    }
}

/// The SHA-256 of bytes that come in parts.
public struct RunningSHA256: Sendable {
    private var hash = SHA256()
    /// Fewer than 64 bytes, which wait for the rest of their block.
    private var rest: [UInt8] = []
    private var byteCount: UInt64 = 0

    /// The digest of nothing.
    public init() {}

    /// Adds some bytes.
    public mutating func update(_ bytes: RawSpan) {
        byteCount += UInt64(bytes.byteCount)
        var start = 0
        if !rest.isEmpty {
            start = min(64 - rest.count, bytes.byteCount)
            keep(bytes.extracting(0..<start))
            guard rest.count == 64 else { return }
            let block = rest
            rest = []
            hash.compress(blocks: block.span.bytes)
        }
        let end = start + (bytes.byteCount - start) / 64 * 64
        hash.compress(blocks: bytes.extracting(start..<end))
        keep(bytes.extracting(end..<bytes.byteCount))
    }

    /// The digest of all bytes that were added.
    public func digest() -> Digest {
        var hash = hash
        hash.finish(rest: rest.span.bytes, bitCount: byteCount * 8)
        return Digest(words: hash.state)
    }

    private mutating func keep(_ bytes: RawSpan) {
        for offset in 0..<bytes.byteCount { rest.append(bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self)) }
    }
}

/// The 32 bytes of a SHA-256.
public struct Digest: Hashable, Sendable {
    /// The eight words, most significant first.
    public let words: SIMD8<UInt32>

    /// The digest of these words.
    public init(words: SIMD8<UInt32>) { self.words = words }

    /// The 32 bytes in order.
    public var bytes: [UInt8] {
        (0..<8).flatMap { index in
            stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: words[index] >> UInt32($0)) }
        }
    }

    /// A digest is random bits already: two words of it hash as well as all.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(words[0])
        hasher.combine(words[1])
    }
}

@inline(__always) private func rotate(_ value: UInt32, _ count: UInt32) -> UInt32 {
    value >> count | value << (32 - count)
}

/// Kept, and never said.
extension Digest: Storable {
    public var cell: Cell { .digest(self) }
    public init?(cell: Cell) { if case .digest(let digest) = cell { self = digest } else { return nil } }
    public func write(to json: inout JSONWriter) { json.null() }
    public init?(json: JSONValue) { nil }
}
