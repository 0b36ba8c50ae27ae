/// The Date field (RFC 9110, 6.6.1), made once a second.
struct DateLine: ~Copyable {
    private var second = Int64.min
    private var line = ByteBuffer()

    /// Takes the time, in seconds since 1970.
    mutating func update(_ now: Int64) {
        if now == second { return }
        second = now
        line.count = 0
        line.append("Date: ")
        Self.append(now, to: &line)
        line.append("\r\n")
    }

    @inline(__always)
    borrowing func append(to output: inout ByteBuffer) {
        if let base = line.base { output.append(base, line.count) }
    }

    /// IMF-fixdate: `Sun, 06 Nov 1994 08:49:37 GMT`.
    static func append(_ seconds: Int64, to output: inout ByteBuffer) {
        let days = Int(seconds.floorDivided(by: 86400))
        let rest = Int(seconds) - days * 86400
        let (year, month, day) = civil(days)
        output.append(weekdays[((days + 4) % 7 + 7) % 7])
        two(day, to: &output)
        output.append(months[month - 1])
        output.append(decimal: year)
        output.append(byte: ASCII.space)
        two(rest / 3600, to: &output)
        output.append(byte: ASCII.colon)
        two(rest / 60 % 60, to: &output)
        output.append(byte: ASCII.colon)
        two(rest % 60, to: &output)
        output.append(" GMT")
    }

    private static func two(_ value: Int, to output: inout ByteBuffer) {
        output.append(byte: UInt8(48 + value / 10))
        output.append(byte: UInt8(48 + value % 10))
    }

    private static let weekdays: [StaticString] = ["Sun, ", "Mon, ", "Tue, ", "Wed, ", "Thu, ", "Fri, ", "Sat, "]
    private static let months: [StaticString] = [
        " Jan ", " Feb ", " Mar ", " Apr ", " May ", " Jun ", " Jul ", " Aug ", " Sep ", " Oct ", " Nov ", " Dec ",
    ]

    /// The proleptic Gregorian date of a day counted from 1970-01-01, by eras of 400 years from March 1st, 0000.
    private static func civil(_ days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = Int(Int64(shifted).floorDivided(by: 146_097))
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }
}

extension Int64 {
    fileprivate func floorDivided(by divisor: Int64) -> Int64 {
        self >= 0 ? self / divisor : (self - divisor + 1) / divisor
    }
}
