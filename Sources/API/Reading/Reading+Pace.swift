import JSON
import Model
import Store

extension Reading {
    /// Returns the JSON of the reading's pace, compared with the plans of the reader's clubs for the book.
    ///
    /// The pace follows from stored data and from the current day where the reader lives. Without an entry or a change
    /// of plans, it stays the same until that day ends.
    func pace(at now: Instant, _ reads: ReadConnection) throws(RequestError) -> [UInt8] {
        let zone = try reads.timeZone(of: readerKey)
        let days = TimeZoneDays(of: zone)
        let measure = try reads.paceMeasure(of: self)
        let today = days.day(at: now)
        let marks = try reads.pacePoints(of: self, by: days, through: today).map {
            DailyPosition(day: $0.day, amount: measure.amount(at: $0.share))
        }
        let pace = ReadingPace(marks, on: today, of: state)
        let (milestones, meetings) = try reads.aims(for: self)
        let all = ClubReadingGoal.all(milestones, meetings)
        let aims = all.prefix(ReadConnection.aimsMax)
        // The amount that is still to be read.
        func left(to share: Progress) -> Int64 {
            guard share > progress else { return 0 }
            return max(0, measure.amount(at: share) - measure.amount(at: progress))
        }
        func doneOn(_ left: Int64) -> UTCDay? { pace.day(reading: left).map { UTCDay(number: $0) } }
        let allLeft = left(to: .whole)
        return JSONWriter.object(capacity: 512 + 384 * aims.count) { json in
            json.member("reading", id)
            json.member("book", book)
            json.member("edition", edition)
            json.member("day", UTCDay(number: today))
            json.member("timeZone", zone)
            json.member("unit", measure.unit?.rawValue ?? "progress")
            json.amount("perDay", pace.perDay)
            json.member("days", pace.days)
            json.amount("today", pace.readToday)
            json.amount("left", allLeft)
            json.member("doneOn", isFinished || state == .abandoned ? nil : doneOn(allLeft))
            json.member("reason", pace.reason?.rawValue)
            json.array("aims", aims) { aim, json in
                json.object { json in
                    let (last, left) = (aim.lastDay(by: days, today: today), left(to: aim.progress))
                    let isReached = progress >= aim.progress
                    let prediction = isReached ? .yes : pace.prediction(reading: left, by: last)
                    json.head(of: aim)
                    json.amount("upTo", measure.amount(at: aim.progress))
                    json.amount("left", left)
                    json.member("isReached", isReached)
                    json.member("daysLeft", max(0, last - today + 1))
                    json.amount("perDay", isReached ? 0 : pace.needed(reading: left, by: last))
                    json.member("doneOn", isReached || state == .abandoned ? nil : doneOn(left))
                    json.member("onTime", prediction?.rawValue)
                }
            }
            json.member("isCut", all.count > aims.count)
        }
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
