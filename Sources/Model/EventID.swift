import Bytes

/// The name of one state of the log: a random number made with the database, remade when a backup is restored.
public struct Epoch: Hashable, Sendable {
    /// The number; printed as eight hexadecimal digits.
    public let number: UInt32

    /// The epoch of that number.
    public init(_ number: UInt32) { self.number = number }

    /// A new random epoch.
    public static func random() -> Epoch { Epoch(.random(in: 1...UInt32.max)) }

    /// Appends eight lower-case hexadecimal digits.
    public func append(to bytes: inout [UInt8]) {
        withUnsafeBytes(of: hexDigits(number)) { bytes.append(contentsOf: $0) }
    }
}

/// `<epoch>-<seq>`: the id of an event, the cursor of a subscriber, and the ETag of the state the event announced.
public struct EventID: Hashable, Sendable {
    /// Which log.
    public let epoch: Epoch
    /// Which change of it; 0 is before the first.
    public let seq: Int64

    /// The id of a change of a log.
    public init(epoch: Epoch, seq: Int64) {
        self.epoch = epoch
        self.seq = seq
    }

    /// Parses what `append` writes; nil for anything else.
    public init?(text: RawSpan) {
        guard text.byteCount > 9, text.byteCount <= 9 + 19 else { return nil }
        var number: UInt32 = 0
        for offset in 0..<8 {
            guard let digit = text.unsafeLoad(fromByteOffset: offset, as: UInt8.self).hexValue else { return nil }
            number = number << 4 | UInt32(digit)
        }
        guard text.unsafeLoad(fromByteOffset: 8, as: UInt8.self) == UInt8(ascii: "-") else { return nil }
        guard let seq = Digits.decimal(text.extracting(9..<text.byteCount), max: .max) else { return nil }
        epoch = Epoch(number)
        self.seq = Int64(seq)
    }

    /// Appends `<epoch>-<seq>`.
    public func append(to bytes: inout [UInt8]) {
        epoch.append(to: &bytes)
        bytes.append(UInt8(ascii: "-"))
        appendDigits(of: seq, to: &bytes)
    }
}

extension EventID: CustomStringConvertible {
    /// `<epoch>-<seq>`.
    public var description: String {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// Appends a number that is not negative, in decimal.
func appendDigits(of number: Int64, to bytes: inout [UInt8]) {
    if number >= 10 { appendDigits(of: number / 10, to: &bytes) }
    bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10))
}
