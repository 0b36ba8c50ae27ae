import Bytes
public import JSON

#if canImport(Glibc)
    import Glibc
#endif

/// A time in milliseconds since 1970-01-01T00:00:00Z, written as RFC 3339 in UTC with milliseconds.
public struct Instant: Hashable, Comparable, Sendable {
    /// The milliseconds since the Unix epoch; may be negative.
    public let milliseconds: Int64

    /// Creates a time from the milliseconds since the Unix epoch.
    public init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// The current time of the wall clock.
    public static var now: Instant {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Instant(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }

    /// Returns whether the first time is earlier.
    public static func < (left: Instant, right: Instant) -> Bool { left.milliseconds < right.milliseconds }

    /// Returns the time that many seconds later, clamped to the range of the type.
    public func adding(seconds: Int64) -> Instant {
        let (product, over) = seconds.multipliedReportingOverflow(by: 1000)
        let (sum, beyond) = milliseconds.addingReportingOverflow(product)
        return over || beyond ? Instant(milliseconds: seconds < 0 ? .min : .max) : Instant(milliseconds: sum)
    }

    /// The days since 1970-01-01, rounded down.
    public var day: Int64 { milliseconds.floorDivided(by: 86_400_000) }

    /// Appends the RFC 3339 form, such as `2026-11-21T09:30:00.000Z`.
    public func append(to bytes: inout [UInt8]) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 24) { text in
            var text = DateDigitWriter(text)
            text.date(ofDay: day)
            let rest = milliseconds - day * 86_400_000
            text.sign("T")
            text.number(rest / 3_600_000, digits: 2)
            text.sign(":")
            text.number(rest / 60_000 % 60, digits: 2)
            text.sign(":")
            text.number(rest / 1000 % 60, digits: 2)
            text.sign(".")
            text.number(rest % 1000, digits: 3)
            text.sign("Z")
            bytes.append(contentsOf: text.written)
        }
    }

    /// Parses an RFC 3339 date-time with `Z` or a numeric offset, or returns `nil`.
    ///
    /// Accepts up to nine decimals and cuts them after the third. The year must be from 0001 to 9999, both as written
    /// and in UTC. A leap second counts as the second before it.
    public init?(_ text: String) {
        var text = text
        guard let parsed = text.withUTF8({ Instant(utf8: $0) }) else { return nil }
        self = parsed
    }

    init?(utf8 text: UnsafeBufferPointer<UInt8>) {
        var reader = DateDigitReader(bytes: text)
        guard let year = reader.number(digits: 4), year > 0, reader.take("-"), let month = reader.number(digits: 2),
            reader.take("-"), let dayOfMonth = reader.number(digits: 2), reader.take("T", or: "t"),
            let hour = reader.number(digits: 2), hour < 24, reader.take(":"), let minute = reader.number(digits: 2),
            minute < 60, reader.take(":"), let second = reader.number(digits: 2), second < 61,
            let date = CivilDate(year: year, month: month, day: dayOfMonth)
        else { return nil }
        var fraction: Int64 = 0
        if reader.take(".") {
            guard let value = reader.milliseconds() else { return nil }
            fraction = value
        }
        guard let offset = reader.offsetMinutes(), reader.isAtEnd else { return nil }
        let seconds = date.dayNumber * 86_400 + hour * 3600 + (minute - offset) * 60 + min(second, 59)
        milliseconds = seconds * 1000 + fraction
        guard Self.writableDays.contains(day) else { return nil }
    }

    /// The days that can be written: those of the years 0001 to 9999.
    fileprivate static let writableDays: ClosedRange<Int64> = -719_162...2_932_896
}

extension Instant: CustomStringConvertible {
    /// The RFC 3339 form.
    public var description: String {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension JSONWriter {
    /// Writes a time as an RFC 3339 string, or null.
    public mutating func instant(_ instant: Instant?) {
        guard let instant else { return null() }
        unescaped { instant.append(to: &$0) }
    }
}

/// A parser of a date's fixed-width numbers. It never traps, whatever the text.
private struct DateDigitReader {
    let bytes: UnsafeBufferPointer<UInt8>
    var offset = 0

    var isAtEnd: Bool { offset == bytes.count }

    mutating func take(_ first: Unicode.Scalar, or second: Unicode.Scalar? = nil) -> Bool {
        guard offset < bytes.count else { return false }
        let byte = UInt32(bytes[offset])
        guard byte == first.value || byte == second?.value else { return false }
        offset += 1
        return true
    }

    mutating func number(digits: Int) -> Int64? {
        guard bytes.count - offset >= digits else { return nil }
        var value: Int64 = 0
        for byte in bytes[offset..<offset + digits] {
            guard byte.isDigit else { return nil }
            value = value * 10 + Int64(byte - UInt8(ascii: "0"))
        }
        offset += digits
        return value
    }

    mutating func milliseconds() -> Int64? {
        var value: Int64 = 0
        var count = 0
        while count < 9, let digit = number(digits: 1) {
            if count < 3 { value = value * 10 + digit }
            count += 1
        }
        guard count > 0 else { return nil }
        for _ in count..<max(3, count) { value *= 10 }
        return value
    }

    mutating func offsetMinutes() -> Int64? {
        if take("Z", or: "z") { return 0 }
        let negative = take("-")
        guard negative || take("+"), let hours = number(digits: 2), hours < 24, take(":"),
            let minutes = number(digits: 2), minutes < 60
        else { return nil }
        return (negative ? -1 : 1) * (hours * 60 + minutes)
    }
}

/// A writer of a date's fixed-width numbers into a buffer, which must be large enough.
struct DateDigitWriter {
    private let text: UnsafeMutableBufferPointer<UInt8>
    private var count = 0

    init(_ text: UnsafeMutableBufferPointer<UInt8>) { self.text = text }

    var written: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(rebasing: UnsafeBufferPointer(text)[..<count]) }

    mutating func sign(_ sign: Unicode.Scalar) {
        text[count] = UInt8(truncatingIfNeeded: sign.value)
        count += 1
    }

    mutating func number(_ value: Int64, digits: Int) {
        var rest = value
        for place in stride(from: count + digits - 1, through: count, by: -1) {
            text[place] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
        count += digits
    }

    /// Writes `YYYY-MM-DD`. Days outside the years 0001 to 9999 are clamped to them.
    mutating func date(ofDay day: Int64) {
        let days = Instant.writableDays
        let date = CivilDate(ofDay: min(max(day, days.lowerBound), days.upperBound))
        number(date.year, digits: 4)
        sign("-")
        number(date.month, digits: 2)
        sign("-")
        number(date.day, digits: 2)
    }
}
