import Bytes
internal import CTables

/// The days of a time zone, by the rules that hold when the program is built. Earlier and later changes by governments
/// are not known.
public struct TimeZoneDays: Sendable {
    fileprivate static let dayMinutes: Int64 = 1440

    /// The standard offset from UTC, in minutes.
    private let standard: Int64
    private let summer: (minutes: Int64, begins: DaylightSavingChange, ends: DaylightSavingChange)?

    /// Creates the days of a time zone of the IANA database. An unknown identifier gives UTC.
    public init(of zone: String) {
        let rule = Self.rules[Array(zone.utf8)] ?? [0]
        standard = rule[0]
        guard rule.count == 10 else {
            summer = nil
            return
        }
        func turn(_ place: Int) -> DaylightSavingChange {
            DaylightSavingChange(
                month: rule[place], week: rule[place + 1], weekday: rule[place + 2], minutes: rule[place + 3])
        }
        summer = (rule[1], turn(2), turn(6))
    }

    /// Returns whether the IANA database had an identifier when the program was built: `UTC`, or one with a place, such
    /// as `Europe/Lisbon`. Compares bytes.
    static func exist(for zone: String) -> Bool { rules[Array(zone.utf8)] != nil }

    /// Returns the local day at a time, counted from 1970-01-01.
    public func day(at instant: Instant) -> Int64 {
        let minutes = instant.milliseconds.floorDivided(by: 60_000)
        return (minutes + offset(at: minutes)).floorDivided(by: Self.dayMinutes)
    }

    /// Returns the first moment of a local day.
    public func start(ofDay day: Int64) -> Instant {
        let midnight = min(max(day, -1_000_000), 4_000_000) * Self.dayMinutes
        let starts = [standard, summer?.minutes ?? standard].map {
            Instant(milliseconds: (midnight - $0) * 60_000)
        }.sorted()
        // If the clocks change at midnight, the earlier candidate may be in the day before.
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

/// A change of the clocks, on a weekday of a month. The minutes are local time before the change.
struct DaylightSavingChange: Sendable {
    let month: Int64
    /// The week of the month; 5 is the last one.
    let week: Int64
    /// The weekday; Sunday is 0.
    let weekday: Int64
    let minutes: Int64

    /// Returns the local time of the change in a year, in minutes since the epoch.
    func minutes(in year: Int64) -> Int64? {
        guard let first = CivilDate(year: year, month: month, day: 1)?.dayNumber,
            let next = CivilDate(year: month < 12 ? year : year + 1, month: month % 12 + 1, day: 1)?.dayNumber
        else { return nil }
        // 1970-01-01 was a Thursday.
        let ahead = (weekday - (first + 4)) - 7 * (weekday - (first + 4)).floorDivided(by: 7)
        var day = first + ahead + 7 * (week - 1)
        while day >= next { day -= 7 }
        return day * TimeZoneDays.dayMinutes + minutes
    }
}
