import Bytes

/// The random number of one history of the log. It is created with the database and replaced when a backup is restored.
public struct LogEpoch: Hashable, Sendable {
    /// The number, printed as eight hexadecimal digits.
    public let number: UInt32

    /// Creates an epoch from its number.
    public init(_ number: UInt32) { self.number = number }

    /// Returns a new random epoch.
    public static func random() -> LogEpoch { LogEpoch(.random(in: 1...UInt32.max)) }

    /// Appends eight lower-case hexadecimal digits.
    public func append(to bytes: inout [UInt8]) {
        withUnsafeBytes(of: hexDigits(number)) { bytes.append(contentsOf: $0) }
    }
}

/// The id of an event, `<epoch>-<seq>`. It is also the cursor of a subscriber, and the ETag of the state that the event
/// announced.
public struct EventID: Hashable, Sendable, PlainText {
    /// The epoch of the log.
    public let epoch: LogEpoch
    /// The sequence number of the change; 0 is before the first one.
    public let seq: Int64

    /// Creates the id of a change of a log.
    public init(epoch: LogEpoch, seq: Int64) {
        self.epoch = epoch
        self.seq = seq
    }

    /// Parses the output of `append`, or returns `nil`.
    public init?(text: RawSpan) {
        guard text.byteCount > 9, text.byteCount <= 9 + 19 else { return nil }
        guard let number = hexNumber(text.unsafeLoadUnaligned(fromByteOffset: 0, as: UInt64.self), anyCase: true),
            text.unsafeLoad(fromByteOffset: 8, as: UInt8.self) == UInt8(ascii: "-"),
            let seq = DigitParser.decimal(text.extracting(9..<text.byteCount), max: .max)
        else { return nil }
        epoch = LogEpoch(number)
        self.seq = Int64(seq)
    }

    /// Appends `<epoch>-<seq>`.
    public func append(to bytes: inout [UInt8]) {
        epoch.append(to: &bytes)
        bytes.append(UInt8(ascii: "-"))
        appendDigits(of: seq, to: &bytes)
    }
}

/// Appends a non-negative number in decimal.
func appendDigits(of number: Int64, to bytes: inout [UInt8]) {
    if number >= 10 { appendDigits(of: number / 10, to: &bytes) }
    bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10))
}
