import Bytes

#if canImport(Glibc)
    import Glibc
#endif

/// A UUID (RFC 9562): version 7 if the server makes it, any version if a client chose it.
public struct ResourceID: Hashable, Sendable, PlainText {
    /// The first eight bytes, big-endian. In version 7 they begin with the time.
    public let high: UInt64
    /// The last eight bytes, big-endian.
    public let low: UInt64

    /// The id that no resource has.
    public static let zero = ResourceID(high: 0, low: 0)

    /// Creates an id from two big-endian halves.
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Creates a version 7 id: 48 bits of time in milliseconds, then random bits (RFC 9562, 5.7).
    public init(madeAt now: Instant) {
        // One system call; SystemRandomNumberGenerator makes one for each eight bytes.
        var random: (UInt64, UInt64) = (0, 0)
        arc4random_buf(&random, MemoryLayout<(UInt64, UInt64)>.size)
        let time = UInt64(bitPattern: now.milliseconds) & 0xFFFF_FFFF_FFFF
        high = time << 16 | 0x7000 | random.0 & 0x0FFF
        low = 0x8000_0000_0000_0000 | random.1 >> 2
    }

    /// The time in a version 7 id, in milliseconds since 1970. In other versions it is any number of 48 bits.
    var milliseconds: Int64 { Int64(high >> 16) }

    /// Returns the number in the ETag of the resource with this id: its version or, if that is 0, a number derived from
    /// the id.
    ///
    /// A path that shows each reader another resource, such as `/v1/settings`, thus never has the same tag for two of
    /// them.
    public func validator(version: Int64) -> Int64 {
        guard version == 0 else { return version }
        return 1 << 62 | Int64(truncatingIfNeeded: low & (1 << 62 - 1))
    }

    /// Derives an id from a name. Version 8 (RFC 9562, 5.8), whose content is application-specific.
    init(following given: [UInt8]) {
        let words = SHA256.digest(of: given).words
        high = UInt64(words[0]) << 32 | UInt64(words[1] & 0xFFFF_0FFF | 0x8000)
        low = UInt64(words[2] >> 2 | 0x8000_0000) << 32 | UInt64(words[3])
    }

    /// Creates an id from sixteen bytes, or returns `nil` for another count.
    public init?(bytes: UnsafeRawBufferPointer) {
        guard bytes.count == 16 else { return nil }
        high = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self))
        low = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    }

    /// Parses `xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx`, or returns `nil`. With `anyCase`, the digits can be upper-case.
    public init?(text: RawSpan, anyCase: Bool = true) {
        func isDash(_ offset: Int) -> Bool { text.unsafeLoad(fromByteOffset: offset, as: UInt8.self) == dash }
        guard text.byteCount == 36, isDash(8), isDash(13), isDash(18), isDash(23) else { return nil }
        func four(_ offset: Int) -> UInt64 {
            UInt64(UInt32(littleEndian: text.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt32.self)))
        }
        func eight(_ first: Int, _ second: Int) -> UInt64? {
            hexNumber((four(first) | four(second) << 32).littleEndian, anyCase: anyCase).map(UInt64.init)
        }
        guard let first = eight(0, 4), let second = eight(9, 14), let third = eight(19, 24), let fourth = eight(28, 32)
        else { return nil }
        self.init(high: first << 32 | second, low: third << 32 | fourth)
    }

    /// Parses the text form of a UUID, or returns `nil`.
    public init?(_ text: String) {
        var copy = text
        let parsed = copy.withUTF8 { ResourceID(text: RawSpan(_unsafeBytes: UnsafeRawBufferPointer($0))) }
        guard let parsed else { return nil }
        self = parsed
    }

    /// Calls `body` with the sixteen bytes.
    public func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        withUnsafeBytes(of: (high.bigEndian, low.bigEndian), body)
    }

    /// Appends the 36 lower-case characters of the id.
    public func append(to bytes: inout [UInt8]) {
        let first = hexDigits(UInt32(truncatingIfNeeded: high >> 32))
        let second = hexDigits(UInt32(truncatingIfNeeded: high))
        let third = hexDigits(UInt32(truncatingIfNeeded: low >> 32))
        let fourth = hexDigits(UInt32(truncatingIfNeeded: low))
        withUnsafeTemporaryAllocation(byteCount: 36, alignment: 8) { buffer in
            // Each store overwrites the surplus bytes of the one before; the dashes come last.
            buffer.storeBytes(of: first, toByteOffset: 0, as: UInt64.self)
            buffer.storeBytes(of: second, toByteOffset: 9, as: UInt64.self)
            buffer.storeBytes(of: second >> 32, toByteOffset: 14, as: UInt64.self)
            buffer.storeBytes(of: third, toByteOffset: 19, as: UInt64.self)
            buffer.storeBytes(of: third >> 32, toByteOffset: 24, as: UInt64.self)
            buffer.storeBytes(of: fourth, toByteOffset: 28, as: UInt64.self)
            buffer[8] = dash
            buffer[13] = dash
            buffer[18] = dash
            buffer[23] = dash
            bytes.append(contentsOf: buffer)
        }
    }
}

private let dash = UInt8(ascii: "-")
