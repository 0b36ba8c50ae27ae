import Foundation
import Model
import Testing

/// Comparisons of time zones' days with Foundation's.
@Suite("Days in a time zone")
struct LocalDaysTests {
    @Test(
        "A day begins by the local clocks",
        arguments: [
            "UTC", "Europe/Lisbon", "Europe/Dublin", "Europe/Berlin", "America/New_York", "America/St_Johns",
            "America/Havana", "America/Santiago", "Africa/Cairo", "Asia/Beirut", "Asia/Kathmandu", "Asia/Tokyo",
            "Australia/Lord_Howe", "Australia/Adelaide", "Pacific/Auckland", "Pacific/Chatham", "Pacific/Kiritimati",
            "Atlantic/Azores",
        ])
    func days(_ zone: String) throws {
        let days = TimeZoneDays(of: zone)
        var calendar = Foundation.Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: zone))
        // Three years from 2026-01-01.
        for day: Int64 in 20_454..<21_550 {
            let noon = Date(timeIntervalSince1970: Double(day) * 86_400 + 43_200)
            let parts = Foundation.Calendar.utc.dateComponents([.year, .month, .day], from: noon)
            let there = try #require(calendar.date(from: parts))
            let start = Int64(calendar.startOfDay(for: there).timeIntervalSince1970 * 1000)
            #expect(days.start(ofDay: day).milliseconds == start, "\(zone) \(noon)")
            #expect(days.day(at: Instant(milliseconds: start)) == day, "\(zone) \(noon)")
            #expect(days.day(at: Instant(milliseconds: start - 1)) == day - 1, "\(zone) \(noon)")
        }
    }

    @Test("Every permitted time zone has consecutive days")
    func all() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let rules = try String(contentsOf: root.appending(path: "Sources/CTables/zone_rules.txt"), encoding: .utf8)
        for rule in rules.split(separator: "\n") {
            let zone = String(rule.prefix { $0 != " " })
            let days = TimeZoneDays(of: zone)
            for day: Int64 in 20_454..<20_825 {
                let (start, next) = (days.start(ofDay: day), days.start(ofDay: day + 1))
                #expect(days.day(at: start) == day, "\(zone)")
                #expect(79_200_000...93_600_000 ~= next.milliseconds - start.milliseconds, "\(zone)")
            }
        }
        #expect(TimeZoneDays(of: "No/Where").start(ofDay: 1).milliseconds == 86_400_000)
    }

    @Test("No time, however remote, traps")
    func extremes() {
        for zone in ["UTC", "Europe/Lisbon", "Pacific/Auckland"] {
            let days = TimeZoneDays(of: zone)
            for text in ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "1969-12-31T23:59:59Z"] {
                let day = days.day(at: Instant(text) ?? .now)
                _ = (
                    days.start(ofDay: day), days.start(ofDay: day - 31), days.start(ofDay: .max),
                    days.start(ofDay: .min)
                )
            }
        }
    }
}

extension Foundation.Calendar {
    fileprivate static var utc: Foundation.Calendar {
        var calendar = Foundation.Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar
    }
}
