import Bytes
internal import CTables

/// The days of a time zone, by the rules that hold when the program is built: a change that a government made before is
/// not known, nor one that it makes later.
public struct LocalDays: Sendable {
    private static let dayMinutes: Int64 = 1440

    /// When clocks are put forward, or back: on a day of the week of a month, at so many minutes by the clocks as they
    /// are before it.
    struct Turn: Sendable {
        let month: Int64
        /// The last one is 5.
        let week: Int64
        /// Sunday is 0.
        let weekday: Int64
        let minutes: Int64

        /// In minutes since the epoch, by those clocks.
        func minutes(in year: Int64) -> Int64? {
            guard let first = CivilDate(year: year, month: month, day: 1)?.dayNumber,
                let next = CivilDate(year: month < 12 ? year : year + 1, month: month % 12 + 1, day: 1)?.dayNumber
            else { return nil }
            // 1970-01-01 was a Thursday.
            let ahead = (weekday - (first + 4)) - 7 * (weekday - (first + 4)).floorDivided(by: 7)
            var day = first + ahead + 7 * (week - 1)
            while day >= next { day -= 7 }
            return day * LocalDays.dayMinutes + minutes
        }
    }

    /// Minutes that clocks are ahead of UTC.
    private let standard: Int64
    private let summer: (minutes: Int64, begins: Turn, ends: Turn)?

    /// Those of an identifier of the IANA time zone database; of one that is not known, those of UTC.
    public init(of zone: String) {
        let rule = Self.rules[Array(zone.utf8)] ?? [0]
        standard = rule[0]
        guard rule.count == 10 else {
            summer = nil
            return
        }
        func turn(_ place: Int) -> Turn {
            Turn(month: rule[place], week: rule[place + 1], weekday: rule[place + 2], minutes: rule[place + 3])
        }
        summer = (rule[1], turn(2), turn(6))
    }

    /// The day that it is there, counted from 1970-01-01.
    public func day(at instant: Instant) -> Int64 {
        let minutes = instant.milliseconds.floorDivided(by: 60_000)
        return (minutes + offset(at: minutes)).floorDivided(by: Self.dayMinutes)
    }

    /// Its first moment there.
    public func start(ofDay day: Int64) -> Instant {
        let midnight = min(max(day, -1_000_000), 4_000_000) * Self.dayMinutes
        let starts = [standard, summer?.minutes ?? standard].map {
            Instant(milliseconds: (midnight - $0) * 60_000)
        }.sorted()
        // Where clocks are put forward, or back, at midnight, the earlier one is in the day before.
        return self.day(at: starts[0]) >= day ? starts[0] : starts[1]
    }

    private func offset(at minutes: Int64) -> Int64 {
        guard let summer else { return standard }
        let year = CivilDate(ofDay: (minutes + standard).floorDivided(by: Self.dayMinutes)).year
        guard let begins = summer.begins.minutes(in: year), let ends = summer.ends.minutes(in: year) else {
            return standard
        }
        let (from, to) = (begins - standard, ends - summer.minutes)
        let isSummer = from < to ? (from..<to).contains(minutes) : !(to..<from).contains(minutes)
        return isSummer ? summer.minutes : standard
    }

    private static let rules: [[UInt8]: [Int64]] = {
        let bytes = UnsafeBufferPointer(start: lectern_zone_rules(), count: lectern_zone_rules_count())
        var rules: [[UInt8]: [Int64]] = [:]
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            let parts = line.split(separator: UInt8(ascii: " "))
            rules[Array(parts[0])] = parts.dropFirst().compactMap { Int64(String(decoding: $0, as: UTF8.self)) }
        }
        return rules
    }()
}
