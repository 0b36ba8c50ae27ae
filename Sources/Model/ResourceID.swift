public import JSON

#if canImport(Glibc)
    import Glibc
#endif

/// A UUID (RFC 9562): version 7 when the server makes it, any version when a client chose it.
public struct ResourceID: Hashable, Sendable {
    /// The first eight bytes, big-endian: in version 7 they begin with the time.
    public let high: UInt64
    /// The last eight bytes, big-endian.
    public let low: UInt64

    /// An id of sixteen bytes given as two big-endian halves.
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// A new version 7 id: 48 bits of time in milliseconds, then random bits (RFC 9562, 5.7).
    public init(madeAt now: Instant) {
        var random = SystemRandomNumberGenerator()
        let time = UInt64(bitPattern: now.milliseconds) & 0xFFFF_FFFF_FFFF
        high = time << 16 | 0x7000 | random.next() & 0x0FFF
        low = 0x8000_0000_0000_0000 | random.next() >> 2
    }

    /// The id that sixteen bytes hold, or nil when there are not sixteen.
    public init?(bytes: UnsafeRawBufferPointer) {
        guard bytes.count == 16 else { return nil }
        high = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self))
        low = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    }

    /// Parses `xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx`, in either case; nil for anything else.
    public init?(text: RawSpan) {
        guard text.byteCount == 36 else { return nil }
        var halves: (UInt64, UInt64) = (0, 0)
        var digits = 0
        for offset in 0..<36 {
            let byte = text.unsafeLoad(fromByteOffset: offset, as: UInt8.self)
            if offset == 8 || offset == 13 || offset == 18 || offset == 23 {
                guard byte == UInt8(ascii: "-") else { return nil }
                continue
            }
            guard let value = hexValue(byte) else { return nil }
            if digits < 16 { halves.0 = halves.0 << 4 | value } else { halves.1 = halves.1 << 4 | value }
            digits += 1
        }
        high = halves.0
        low = halves.1
    }

    /// Parses the text form of a UUID; nil when it is none.
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
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 36) { text in
            var digit = 0
            for place in 0..<36 {
                if place == 8 || place == 13 || place == 18 || place == 23 {
                    text[place] = UInt8(ascii: "-")
                    continue
                }
                let half = digit < 16 ? high : low
                text[place] = hexDigit(half >> UInt64((15 - digit & 15) * 4))
                digit += 1
            }
            bytes.append(contentsOf: UnsafeBufferPointer(text))
        }
    }
}

extension ResourceID: CustomStringConvertible {
    /// The 36 lower-case characters of the id.
    public var description: String {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension JSONWriter {
    /// Writes an id as a string.
    public mutating func id(_ id: ResourceID) {
        unescaped { id.append(to: &$0) }
    }

    /// Writes a string whose bytes `append` adds: they must need no escape.
    mutating func unescaped(_ append: (inout [UInt8]) -> Void) {
        string("")
        bytes.removeLast()
        append(&bytes)
        bytes.append(UInt8(ascii: "\""))
    }
}

/// The value of one hexadecimal digit.
func hexValue(_ byte: UInt8) -> UInt64? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(byte - UInt8(ascii: "a") + 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt64(byte - UInt8(ascii: "A") + 10)
    default: nil
    }
}

/// The digit of the lowest four bits.
func hexDigit(_ value: UInt64) -> UInt8 {
    let digit = UInt8(truncatingIfNeeded: value & 0xF)
    return digit < 10 ? UInt8(ascii: "0") &+ digit : UInt8(ascii: "a") &+ digit &- 10
}

/// Appends the lowest `digits` hexadecimal digits of `value`.
func appendHex(_ value: UInt64, digits: Int, to bytes: inout [UInt8]) {
    for place in stride(from: (digits - 1) * 4, through: 0, by: -4) { bytes.append(hexDigit(value >> UInt64(place))) }
}
