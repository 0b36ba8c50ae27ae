/// How fast somebody reads, from where they were at the end of each day, as of one day.
///
/// Amounts are millionths of what they are counted in (see `Yardstick`). It is a function of the marks and the day
/// alone: it becomes another one by an event, or when a day is over.
public struct ReadingPace: Sendable, Equatable {
    /// Where somebody was on a day.
    public struct Mark: Sendable, Equatable {
        public let day: Int64
        public let amount: Int64

        public init(day: Int64, amount: Int64) { (self.day, self.amount) = (day, amount) }
    }

    /// Why there is no pace, or no day on which it leads to the end. The raw values are sent.
    public enum Reason: String, Sendable {
        case noEntries
        /// Fewer than two days are over.
        case tooFewDays
        /// Nothing was read for long, or next to nothing.
        case atRest
        case finished
        case abandoned
    }

    /// Days before today that count.
    public static let daysMax: Int64 = 30
    /// Who needs more days than that is at rest.
    private static let daysToGoMax: Int64 = 36_500
    private static let daysMin = 2

    public let today: Int64
    public let readToday: Int64
    /// Nil where there is a reason other than rest.
    public let perDay: Int64?
    /// How many days it is of.
    public let days: Int
    public let reason: Reason?

    /// By marks in the order of time: the first one, and the last one of each day. Of marks that lie before the last
    /// one of the days that count, one is enough.
    public init(_ marks: [Mark], on today: Int64, of state: Reading.State = .reading) {
        self.today = today
        let stretches = Stretch.all(of: marks, through: today)
        readToday = stretches.reduce(0) { $0 + ($1.days.contains(today) ? $1.amount(on: today) : 0) }
        // One entry is no history, however long ago.
        let isHistory = marks.first?.day != marks.last?.day || stretches.contains { $0.amount > 0 }
        let counted = isHistory ? Self.counted(stretches, before: today) : [:]
        days = counted.count
        let found: Int64? = days < Self.daysMin ? nil : Self.mean(of: counted, before: today)
        switch state {
        case .finished: (perDay, reason) = (nil, .finished)
        case .abandoned: (perDay, reason) = (nil, .abandoned)
        case .reading, .paused:
            perDay = found
            reason = marks.isEmpty ? .noEntries : found == nil ? .tooFewDays : found == 0 ? .atRest : nil
        }
    }

    // MARK: What it leads to

    /// The day on which so much more will have been read; nil without a pace, or where it is too far away.
    public func day(reading left: Int64) -> Int64? {
        guard left > 0 else { return today }
        guard let perDay, perDay > 0 else { return nil }
        let rest = left - max(0, perDay - readToday)
        guard rest > 0 else { return today }
        let more = (rest - 1) / perDay + 1
        return more <= Self.daysToGoMax ? today + more : nil
    }

    /// The least that must be read a day, today included with what was read in it already, to have read so much more
    /// when a day is over; nil when it is over already.
    public func needed(reading left: Int64, by last: Int64) -> Int64? {
        guard left > 0 else { return 0 }
        guard last >= today else { return nil }
        let (days, later) = (last - today + 1, last - today)
        if later > 0 {
            // Who has read more than that today has less to read on the others.
            let rest = (left - 1) / later + 1
            if rest < readToday { return rest }
        }
        return (left + readToday - 1) / days + 1
    }

    /// Whether that will be so; nil without a pace.
    public func isOnTime(reading left: Int64, by last: Int64) -> OnTime? {
        guard left > 0 else { return .yes }
        guard let needed = needed(reading: left, by: last) else { return .no }
        guard let perDay else { return nil }
        if perDay * 10 >= needed * 11 { return .yes }
        return perDay * 10 >= needed * 8 ? .tight : .no
    }

    // MARK: Days that count

    /// What was read on each of the days before today that count.
    private static func counted(_ stretches: [Stretch], before today: Int64) -> [Int64: Int64] {
        var amounts: [Int64: Int64] = [:]
        func add(_ stretch: Stretch) {
            let (from, through) = (
                max(stretch.days.lowerBound, today - daysMax), min(stretch.days.upperBound, today - 1)
            )
            guard from <= through else { return }
            for day in from...through { amounts[day, default: 0] += stretch.amount(on: day) }
        }
        for stretch in stretches where !stretch.isLong { add(stretch) }
        // A long silence in which much less was read than else was a pause, and says nothing of how fast somebody
        // reads.
        let usual = amounts.values.filter { $0 > 0 }.sorted()
        let middle = usual.isEmpty ? 0 : usual[(usual.count - 1) / 2]
        for stretch in stretches where stretch.isLong && stretch.perDay >= middle / 4 { add(stretch) }
        return amounts
    }

    /// Yesterday counts thirty times, the day before 29 times and so on; no day for more than twice what the best of
    /// the others has.
    private static func mean(of amounts: [Int64: Int64], before today: Int64) -> Int64 {
        let best = amounts.values.sorted(by: >)
        let most = best.count > 1 && best[1] > 0 ? 2 * best[1] : .max
        var (sum, weights): (Int64, Int64) = (0, 0)
        for (day, amount) in amounts {
            let weight = daysMax + 1 - (today - day)
            sum += weight * min(amount, most)
            weights += weight
        }
        return weights > 0 ? sum / weights : 0
    }
}

/// Whether somebody will have read so far by then, as they read. The raw values are sent.
public enum OnTime: String, Sendable {
    /// With a tenth to spare, or more.
    case yes
    /// With four fifths of what it takes, or more.
    case tight
    case no
}
