import JSON
import Model
import SharedByTests
import Testing

/// Tests of reading pace, as tables. Day 100 is today; amounts are in thousands.
@Suite("Pace")
struct PaceTests {
    /// Parses marks: `98:10` is ten on day 98.
    static func marks(_ text: String) -> [DailyPosition] {
        text.split(separator: " ").map { word in
            let parts = word.split(separator: ":").compactMap { Int64($0) }
            return DailyPosition(day: parts[0], amount: parts[1] * 1000)
        }
    }

    struct Row: CustomTestStringConvertible, Sendable {
        let says: String
        let marks: String
        var perDay: Int64?
        var days = 0
        var today: Int64 = 0
        var reason: MissingPaceReason?
        var state = ReadingState.reading
        var testDescription: String { says }
    }

    static let rows: [Row] = [
        Row(says: "nothing yet", marks: "", reason: .noEntries),
        Row(says: "the first entry says where the history begins", marks: "100:50", reason: .tooFewDays),
        Row(says: "one day is no pace", marks: "98:10 99:30", days: 1, reason: .tooFewDays),
        Row(says: "two days are", marks: "97:10 98:30 99:50", perDay: 20_000, days: 2),
        Row(
            says: "the first day counts where something is known to have been read on it",
            marks: "98:0 98:30 99:60", perDay: 30_000, days: 2),
        Row(says: "as much each day", marks: "94:0 95:10 96:20 97:30 98:40 99:50", perDay: 10_000, days: 5),
        Row(says: "a later day counts for more", marks: "97:0 98:0 99:59", perDay: 30_000, days: 2),
        Row(says: "a burst counts for twice the next best", marks: "96:0 97:10 98:20 99:170", perDay: 13_448, days: 3),
        Row(says: "today is not over", marks: "97:0 98:10 99:20 100:120", perDay: 10_000, days: 2, today: 100_000),
        Row(says: "what is taken back was not read", marks: "97:0 98:90 99:20", perDay: 9830, days: 2),
        Row(says: "who begins anew reads from there", marks: "96:80 97:90 98:0 99:10", perDay: 3448, days: 3),
        Row(
            says: "what was read in between was read evenly", marks: "86:0 93:70 100:140", perDay: 10_000, days: 13,
            today: 10_000),
        Row(
            says: "a pause that is over does not count", marks: "60:0 61:20 62:40 97:45 98:65 99:85", perDay: 20_000,
            days: 2),
        Row(
            says: "who says something once a month makes no pauses", marks: "9:0 39:300 69:600 99:900",
            perDay: 10_000, days: 30),
        Row(says: "a pause that lasts does count", marks: "70:0 71:30 72:60", perDay: 323, days: 29),
        Row(says: "at rest", marks: "10:0 11:30", perDay: 0, days: 30, reason: .atRest),
        Row(
            says: "a clock ahead says today", marks: "97:0 98:10 99:20 103:30", perDay: 10_000, days: 2,
            today: 10_000),
        Row(says: "paused is no end", marks: "97:10 98:30 99:50", perDay: 20_000, days: 2, state: .paused),
        Row(says: "finished", marks: "97:10 98:30 99:50", days: 2, reason: .finished, state: .finished),
        Row(says: "abandoned", marks: "97:10 98:30 99:50", days: 2, reason: .abandoned, state: .abandoned),
    ]

    @Test("A pace is the mean of the days that count", arguments: rows)
    func pace(_ row: Row) {
        let pace = ReadingPace(Self.marks(row.marks), on: 100, of: row.state)
        #expect(pace.perDay == row.perDay)
        #expect(pace.days == row.days)
        #expect(pace.readToday == row.today)
        #expect(pace.reason == row.reason)
    }

    /// Returns a pace of ten a day.
    private func ten(today: Int64) -> ReadingPace {
        ReadingPace(Self.marks("97:0 98:10 99:20 100:\(20 + today)"), on: 100)
    }

    @Test(
        "The daily amount includes today's reading",
        arguments: [
            (0, 60, 102, 20), (20, 40, 102, 20), (100, 50, 102, 25), (15, 5, 100, 20), (0, 1, 99, nil), (0, 0, 99, 0),
            (0, 10, 100, 10), (30, 30, 101, 30),
        ] as [(Int64, Int64, Int64, Int64?)])
    func needed(_ today: Int64, _ left: Int64, _ last: Int64, _ needed: Int64?) {
        #expect(ten(today: today).needed(reading: left * 1000, by: last) == needed.map { $0 * 1000 })
    }

    @Test(
        "A reading is predicted to be finished on the day on which its amount is reached",
        arguments: [(0, 0, 100), (4, 6, 100), (4, 7, 101), (4, 26, 102), (4, 27, 103), (50, 10, 101)]
            as [(Int64, Int64, Int64)])
    func done(_ today: Int64, _ left: Int64, _ day: Int64) {
        #expect(ten(today: today).day(reading: left * 1000) == day)
    }

    @Test(
        "A reading is on time with a tenth to spare, tight down to four fifths, and otherwise late",
        arguments: [
            (27, 102, .yes), (30, 102, .tight), (36, 102, .tight), (39, 102, .no), (1, 99, .no), (0, 99, .yes),
        ] as [(Int64, Int64, GoalPrediction)])
    func onTime(_ left: Int64, _ last: Int64, _ prediction: GoalPrediction) {
        #expect(ten(today: 0).prediction(reading: left * 1000, by: last) == prediction)
    }

    @Test("Without a pace there is no prediction, except that a goal is already missed")
    func unknown() {
        let pace = ReadingPace([], on: 100)
        #expect(pace.prediction(reading: 10, by: 101) == nil && pace.prediction(reading: 10, by: 99) == .no)
        #expect(pace.day(reading: 10) == nil && pace.needed(reading: 10, by: 101) == 5)
        let rest = ReadingPace(Self.marks("10:0 11:30"), on: 100)
        #expect(rest.day(reading: 10) == nil && rest.prediction(reading: 10, by: 101) == .no)
        // The minimum pace: an end more than a hundred years ahead is `nil`.
        let slow = ReadingPace([DailyPosition(day: 68, amount: 0), DailyPosition(day: 99, amount: 31)], on: 100)
        #expect(slow.perDay == 1 && slow.day(reading: 36_501) == 36_600 && slow.day(reading: 36_502) == nil)
    }

    @Test("No history traps")
    func extremes() {
        let most: Int64 = 10_000_000_000_000
        let days: [Int64] = [-719_162, 0, 99, 100, 2_932_896]
        for first in days {
            for last in days {
                for amount in [0, 1, most] {
                    let marks = [
                        DailyPosition(day: first, amount: most - amount),
                        DailyPosition(day: last, amount: amount),
                    ]
                    for today in days {
                        let pace = ReadingPace(marks, on: today)
                        #expect(pace.readToday >= 0 && pace.perDay ?? 0 >= 0)
                        for due in days {
                            _ = (pace.needed(reading: most, by: due), pace.prediction(reading: most, by: due))
                            _ = pace.day(reading: most)
                        }
                    }
                }
            }
        }
    }

    // MARK: In what it is said

    @Test(
        "Amounts are in the edition's unit, or pages, or shares",
        arguments: [
            (PositionResolverTests.paper, nil, 500_000, 200_000_000), (PositionResolverTests.paper, nil, 0, 10_000_000),
            (PositionResolverTests.paper, nil, 1_000_000, 390_000_000),
            (PositionResolverTests.ebook, nil, 500_000, 42_000_000),
            (PositionResolverTests.audio, nil, 500_000, 17_500_250_000),
            (PositionResolverTests.kindle, nil, 500_000, 2_500_000_000),
            (nil, 417, 400_000, 167_000_000), (nil, 417, 398_082, 166_000_000), (nil, 417, 0, 0),
            (nil, 417, 1, 1_000_000),
            (nil, 417, 1_000_000, 417_000_000), (nil, nil, 430_000, 430_000),
        ] as [(String?, Int32?, Int64, Int64)])
    func amounts(_ edition: String?, _ pageCount: Int32?, _ share: Int64, _ amount: Int64) throws {
        let edition = try edition.map { try PositionResolverTests.edition($0) }
        let resolver = PositionResolver(edition, pageCount: pageCount)
        #expect(ReadingPaceMeasure(resolver, pageCount: pageCount).amount(at: Progress(clamping: share)) == amount)
    }

    @Test("A recorded page is converted to the same page, for every page count")
    func pages() throws {
        for count: Int32 in [1, 7, 100, 417, 99_991, 100_000] {
            let paceMeasure = ReadingPaceMeasure(PositionResolver(pageCount: count), pageCount: count)
            for page in stride(from: 0, through: count, by: max(1, Int(count) / 97)) {
                let share = try #require(Progress(page: Int32(page), of: count))
                #expect(paceMeasure.amount(at: share) == Int64(page) * 1_000_000, "\(page) of \(count)")
            }
        }
    }
}
