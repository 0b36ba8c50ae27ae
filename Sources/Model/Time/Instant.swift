import Bytes

#if canImport(Glibc)
    import Glibc
#endif

/// A time in milliseconds since 1970-01-01T00:00:00Z, written as RFC 3339 in UTC with milliseconds.
public struct Instant: Hashable, Comparable, Sendable, PlainText {
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
        func number(_ start: Int, digits: Int = 2) -> Int64? {
            var value: Int64 = 0
            for place in start..<start + digits {
                guard text[place].isDigit else { return nil }
                value = value * 10 + Int64(text[place] - UInt8(ascii: "0"))
            }
            return value
        }
        let (dash, colon) = (UInt8(ascii: "-"), UInt8(ascii: ":"))
        guard text.count > 19, text[4] == dash, text[7] == dash, text[10] | 0x20 == UInt8(ascii: "t"),
            text[13] == colon, text[16] == colon, let year = number(0, digits: 4), year > 0, let month = number(5),
            let dayOfMonth = number(8), let hour = number(11), hour < 24, let minute = number(14), minute < 60,
            let second = number(17), second < 61, let date = CivilDate(year: year, month: month, day: dayOfMonth)
        else { return nil }
        var (zone, fraction) = (19, Int64(0))
        if text[19] == UInt8(ascii: ".") {
            let decimals = text[20...].prefix(9).prefix(while: \.isDigit)
            guard !decimals.isEmpty else { return nil }
            zone = decimals.endIndex
            for place in 20..<23 {
                fraction = fraction * 10 + (place < zone ? Int64(text[place] - UInt8(ascii: "0")) : 0)
            }
        }
        var offset: Int64 = 0
        if text.count == zone + 6, text[zone] == UInt8(ascii: "+") || text[zone] == dash, text[zone + 3] == colon,
            let hours = number(zone + 1), hours < 24, let minutes = number(zone + 4), minutes < 60
        {
            offset = (text[zone] == dash ? -1 : 1) * (hours * 60 + minutes)
        } else if text.count != zone + 1 || text[zone] | 0x20 != UInt8(ascii: "z") {
            return nil
        }
        let seconds = date.dayNumber * 86_400 + hour * 3600 + (minute - offset) * 60 + min(second, 59)
        milliseconds = seconds * 1000 + fraction
        guard Self.writableDays.contains(day) else { return nil }
    }

    /// The days that can be written: those of the years 0001 to 9999.
    fileprivate static let writableDays: ClosedRange<Int64> = -719_162...2_932_896
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
        var (rest, place) = (value, count + digits)
        while place > count {
            place -= 1
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
