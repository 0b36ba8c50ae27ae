internal import Glibc

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
        var (time, parts) = (time_t(seconds), tm())
        gmtime_r(&time, &parts)
        let room = output.reserve(64).assumingMemoryBound(to: CChar.self)
        // The names are English, because the program sets no locale.
        output.count += strftime(room, 64, "%a, %d %b %Y %H:%M:%S GMT", &parts)
    }
}
