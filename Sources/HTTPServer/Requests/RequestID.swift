internal import Bytes

/// The ID of a request in its response, in its problem and in the log: chosen by the client, or generated.
package enum RequestID: Sendable, Equatable, CustomStringConvertible {
    case made(UInt64)
    case given([UInt8])

    /// The maximum bytes of an ID that a client chooses.
    static let bytesMax = 64

    /// Validates an ID from a client: 1 to 64 of `A-Z a-z 0-9 . _ -`, which are safe in any log. Returns `nil` for
    /// anything else.
    init?(_ given: RawSpan) {
        let bytes = given.withUnsafeBytes { Array($0.prefix(Self.bytesMax + 1)) }
        guard (1...Self.bytesMax).contains(bytes.count),
            bytes.allSatisfy({ $0.isLetter || $0.isDigit || "._-".utf8.contains($0) })
        else { return nil }
        self = .given(bytes)
    }

    /// The ID as text.
    package var description: String { String(decoding: bytes, as: UTF8.self) }

    /// The ID as ASCII bytes; a generated ID has 16 hexadecimal digits.
    package var bytes: [UInt8] {
        switch self {
        case .given(let bytes): bytes
        case .made(let number):
            Array(unsafeUninitializedCapacity: 16) { room, count in
                if let base = room.baseAddress { Self.write(number, to: base) }
                count = 16
            }
        }
    }

    /// Writes a number as sixteen hexadecimal digits.
    @inline(__always)
    private static func write(_ number: UInt64, to room: UnsafeMutableRawPointer) {
        room.storeBytes(of: hexDigits(UInt32(truncatingIfNeeded: number >> 32)), as: UInt64.self)
        room.storeBytes(of: hexDigits(UInt32(truncatingIfNeeded: number)), toByteOffset: 8, as: UInt64.self)
    }

    @inline(__always)
    func appendField(to output: inout ByteBuffer) {
        output.append("X-Request-Id: ")
        switch self {
        case .made(let number):
            Self.write(number, to: output.reserve(16))
            output.count &+= 16
        case .given(let bytes): bytes.withUnsafeBytes { if let base = $0.baseAddress { output.append(base, $0.count) } }
        }
        output.append("\r\n")
    }
}

/// The generator of one loop's request IDs. It starts at a random number. IDs of different loops and runs do not
/// collide in practice, and an ID does not reveal how many requests came before.
struct RequestIDGenerator {
    private var last = UInt64.random(in: .min ... .max)

    @inline(__always)
    mutating func next() -> RequestID {
        last &+= 0x9E37_79B9_7F4A_7C15
        // SplitMix64 is a bijection, so no number repeats.
        var mixed = (last ^ last >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return .made(mixed ^ mixed >> 31)
    }
}
