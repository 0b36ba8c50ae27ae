import Bytes

/// The Date field (RFC 9110, 6.6.1), formatted once a second.
struct DateHeaderField: ~Copyable {
    private var second = Int64.min
    private var line = ByteBuffer()

    /// Formats the field for a time in seconds since 1970, unless it is for this second already.
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

    /// Appends a time as an IMF-fixdate: `Sun, 06 Nov 1994 08:49:37 GMT`.
    static func append(_ seconds: Int64, to output: inout ByteBuffer) {
        let days = seconds.floorDivided(by: 86400)
        let rest = Int(seconds - days * 86400)
        let date = CivilDate(ofDay: days)
        output.append(weekdays[Int(((days + 4) % 7 + 7) % 7)])
        two(Int(date.day), to: &output)
        output.append(months[Int(date.month) - 1])
        output.append(decimal: Int(date.year))
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
}
