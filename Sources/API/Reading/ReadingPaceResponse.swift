import JSON
import Model
import Store

/// The pace of a reading, compared with the plans of the reader's clubs for the book.
///
/// The pace follows from stored data and from the current day where the reader lives. Without an entry or a change of
/// plans, it stays the same until that day ends.
struct ReadingPaceResponse {
    private let reading: Reading
    private let zone: String
    private let days: TimeZoneDays
    private let paceMeasure: ReadingPaceMeasure
    private let pace: ReadingPace
    private let aims: [ClubReadingGoal]
    /// A Boolean value indicating whether there are more aims than are shown.
    private let isCut: Bool

    init(_ reading: Reading, at now: Instant, _ reads: ReadConnection) throws(RequestError) {
        self.reading = reading
        zone = try reads.timeZone(of: reading.readerKey)
        days = TimeZoneDays(of: zone)
        let paceMeasure = try reads.paceMeasure(of: reading)
        self.paceMeasure = paceMeasure
        let today = days.day(at: now)
        let marks = try reads.pacePoints(of: reading, by: days, through: today).map {
            DailyPosition(day: $0.day, amount: paceMeasure.amount(at: $0.share))
        }
        pace = ReadingPace(marks, on: today, of: reading.state)
        let (milestones, meetings) = try reads.aims(for: reading)
        let all = ClubReadingGoal.all(milestones, meetings)
        aims = Array(all.prefix(ReadConnection.aimsMax))
        isCut = all.count > aims.count
    }

    func encoded() -> [UInt8] {
        let left = left(to: .whole)
        return JSONWriter.object(capacity: 512 + 384 * aims.count) { json in
            json.member("reading", reading.id)
            json.member("book", reading.book)
            json.member("edition", reading.edition)
            json.member("day", UTCDay(number: pace.today))
            json.member("timeZone", zone)
            json.member("unit", paceMeasure.unit?.rawValue ?? "progress")
            json.amount("perDay", pace.perDay)
            json.member("days", pace.days)
            json.amount("today", pace.readToday)
            json.amount("left", left)
            json.member("doneOn", isOver ? nil : day(reading: left))
            json.member("reason", pace.reason?.rawValue)
            json.array("aims", aims) { aim, json in json.object { write(aim, to: &$0) } }
            json.member("isCut", isCut)
        }
    }

    /// Returns the day on which an amount is read, or `nil` if there is no pace.
    private func day(reading left: Int64) -> UTCDay? { pace.day(reading: left).map { UTCDay(number: $0) } }

    private var isOver: Bool { reading.isFinished || reading.state == .abandoned }

    /// Returns the amount that is still to be read.
    private func left(to share: Progress) -> Int64 {
        guard share > reading.progress else { return 0 }
        return max(0, paceMeasure.amount(at: share) - paceMeasure.amount(at: reading.progress))
    }

    private func write(_ aim: ClubReadingGoal, to json: inout JSONWriter) {
        let last = aim.lastDay(by: days, today: pace.today)
        let isReached = reading.progress >= aim.progress
        let left = left(to: aim.progress)
        json.head(of: aim)
        json.amount("upTo", paceMeasure.amount(at: aim.progress))
        json.amount("left", left)
        json.member("isReached", isReached)
        json.member("daysLeft", max(0, last - pace.today + 1))
        json.amount("perDay", isReached ? 0 : pace.needed(reading: left, by: last))
        json.member("doneOn", isReached || reading.state == .abandoned ? nil : day(reading: left))
        json.member(
            "onTime", isReached ? GoalPrediction.yes.rawValue : pace.prediction(reading: left, by: last)?.rawValue)
    }
}

extension JSONWriter {
    /// Writes the JSON members that identify an aim: a milestone or a meeting of a club.
    mutating func head(of aim: ClubReadingGoal) {
        member("kind", aim.kind.name)
        member("id", aim.id)
        member("club", aim.club)
        member("name", aim.name)
        member("progress", aim.progress)
        member("dueAt", aim.dueAt)
    }

    /// Writes a member with a number of millionths as a decimal, or null.
    mutating func amount(_ name: StaticString, _ millionths: Int64?) {
        self.name(name)
        if let millionths { decimal(millionths: Int(millionths)) } else { null() }
    }
}
