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
        var json = JSONWriter(capacity: 512 + 384 * aims.count)
        json.beginObject()
        json.member("reading", reading.id)
        json.member("book", reading.book)
        json.name("edition")
        if let edition = reading.edition { json.id(edition) } else { json.null() }
        json.name("day")
        UTCDay(number: pace.today).write(to: &json)
        json.member("timeZone", zone)
        json.member("unit", paceMeasure.unit.rawValue)
        json.name("perDay")
        json.amount(pace.perDay)
        json.member("days", pace.days)
        json.name("today")
        json.amount(pace.readToday)
        let left = left(to: .whole)
        json.name("left")
        json.amount(left)
        json.name("doneOn")
        json.day(isOver ? nil : pace.day(reading: left))
        json.member("reason", pace.reason?.rawValue)
        json.name("aims")
        json.beginArray()
        for aim in aims { write(aim, to: &json) }
        json.endArray()
        json.member("isCut", isCut)
        json.endObject()
        return json.bytes
    }

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
        json.beginObject()
        json.head(of: aim)
        json.name("upTo")
        json.amount(paceMeasure.amount(at: aim.progress))
        json.name("left")
        json.amount(left)
        json.member("isReached", isReached)
        json.member("daysLeft", max(0, last - pace.today + 1))
        json.name("perDay")
        json.amount(isReached ? 0 : pace.needed(reading: left, by: last))
        json.name("doneOn")
        json.day(isReached || reading.state == .abandoned ? nil : pace.day(reading: left))
        json.member(
            "onTime", isReached ? GoalPrediction.yes.rawValue : pace.prediction(reading: left, by: last)?.rawValue)
        json.endObject()
    }
}

extension JSONWriter {
    /// Writes the date with a day number, or null for `nil`.
    mutating func day(_ number: Int64?) {
        if let number { UTCDay(number: number).write(to: &self) } else { null() }
    }

    /// Writes the JSON members that identify an aim: a milestone or a meeting of a club.
    mutating func head(of aim: ClubReadingGoal) {
        name("kind")
        string(aim.kind.name)
        name("id")
        id(aim.id)
        name("club")
        id(aim.club)
        name("name")
        string(aim.name)
        name("progress")
        progress(aim.progress)
        name("dueAt")
        instant(aim.dueAt)
    }
}
