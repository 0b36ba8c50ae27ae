internal import Bytes

/// By what a request is found in its answer, in its problem and in the log: what its client calls it, or a number of ours.
package enum RequestID: Sendable, Equatable, CustomStringConvertible {
    case made(UInt64)
    case given([UInt8])

    /// Bytes that a client may choose.
    static let bytesMax = 64

    /// What a client chose: 1 to 64 of `A-Z a-z 0-9 . _ -`, so that it can stand in any log; nil for all else.
    init?(_ said: RawSpan) {
        guard (1...Self.bytesMax).contains(said.byteCount) else { return nil }
        for offset in said.byteOffsets {
            switch said.unsafeLoad(fromByteOffset: offset, as: UInt8.self) {
            case let byte where byte.isLetter || byte.isDigit: continue
            case UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"): continue
            default: return nil
            }
        }
        self = .given(said.withUnsafeBytes { Array($0) })
    }

    /// As it is written.
    package var description: String { String(decoding: bytes, as: UTF8.self) }

    /// As it is written.
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

    /// Sixteen hexadecimal digits.
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

/// Numbers for the requests of one loop, from anywhere in all that there are: those of several loops and lives do not meet, and one
/// does not tell how many there were before.
struct RequestNumbers {
    private var last = UInt64.random(in: .min ... .max)

    @inline(__always)
    mutating func next() -> RequestID {
        last &+= 0x9E37_79B9_7F4A_7C15
        // SplitMix64: one to one, so none comes twice.
        var mixed = (last ^ last >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return .made(mixed ^ mixed >> 31)
    }
}
