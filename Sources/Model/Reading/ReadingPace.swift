/// A reader's pace as of one day, computed from their position at the end of each day.
///
/// Amounts are millionths of a unit (see `ReadingPaceMeasure`). The pace depends on nothing but the positions and the
/// day, so it changes only with an event or at the end of a day.
public struct ReadingPace: Sendable, Equatable {
    /// The number of days before today that count.
    public static let daysMax: Int64 = 30
    /// The maximum number of days to completion. A reader who needs more counts as at rest.
    private static let daysToGoMax: Int64 = 36_500
    private static let daysMin = 2

    public let today: Int64
    public let readToday: Int64
    /// The amount per day: 0 for a reader at rest, and `nil` if there is another reason for a missing pace.
    public let perDay: Int64?
    /// The number of days from which the pace was computed.
    public let days: Int
    public let reason: MissingPaceReason?

    /// Creates the pace from positions in the order of time: the first one, and the last one of each day. Only one of
    /// the positions before the days that count is needed.
    public init(_ marks: [DailyPosition], on today: Int64, of state: ReadingState = .reading) {
        self.today = today
        let stretches = ReadAmountOverDays.all(of: marks, through: today)
        readToday = stretches.reduce(0) { $0 + ($1.days.contains(today) ? $1.amount(on: today) : 0) }
        // A single entry is not a history, however old it is.
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

    // MARK: Predictions

    /// Returns the day on which the amount left will have been read, or `nil` without a pace or if it is too far away.
    public func day(reading left: Int64) -> Int64? {
        guard left > 0 else { return today }
        guard let perDay, perDay > 0 else { return nil }
        let rest = left - max(0, perDay - readToday)
        guard rest > 0 else { return today }
        let more = (rest - 1) / perDay + 1
        return more <= Self.daysToGoMax ? today + more : nil
    }

    /// Returns the minimum amount per day to finish the amount left by the end of the last day, or `nil` if that day is
    /// over.
    ///
    /// Today counts, with the amount that was already read on it.
    public func needed(reading left: Int64, by last: Int64) -> Int64? {
        guard left > 0 else { return 0 }
        guard last >= today else { return nil }
        let (days, later) = (last - today + 1, last - today)
        if later > 0 {
            // If more than that was read today, less is left for the other days.
            let rest = (left - 1) / later + 1
            if rest < readToday { return rest }
        }
        return (left + readToday - 1) / days + 1
    }

    /// Returns a prediction of whether the amount left will be read by the end of the last day, or `nil` without a
    /// pace.
    public func prediction(reading left: Int64, by last: Int64) -> GoalPrediction? {
        guard left > 0 else { return .yes }
        guard let needed = needed(reading: left, by: last) else { return .no }
        guard let perDay else { return nil }
        if perDay * 10 >= needed * 11 { return .yes }
        return perDay * 10 >= needed * 8 ? .tight : .no
    }

    // MARK: Days that count

    /// Returns the amount read on each counted day before today.
    private static func counted(_ stretches: [ReadAmountOverDays], before today: Int64) -> [Int64: Int64] {
        var amounts: [Int64: Int64] = [:]
        func add(_ stretch: ReadAmountOverDays) {
            let (from, through) = (
                max(stretch.days.lowerBound, today - daysMax), min(stretch.days.upperBound, today - 1)
            )
            guard from <= through else { return }
            for day in from...through { amounts[day, default: 0] += stretch.amount(on: day) }
        }
        for stretch in stretches where !stretch.isLong { add(stretch) }
        // A long silence with much less reading than usual was a break, and does not count towards the pace.
        let usual = amounts.values.filter { $0 > 0 }.sorted()
        let middle = usual.isEmpty ? 0 : usual[(usual.count - 1) / 2]
        for stretch in stretches where stretch.isLong && stretch.perDay >= middle / 4 { add(stretch) }
        return amounts
    }

    /// Returns the weighted mean: yesterday has a weight of 30, the day before 29 and so on. No day counts for more
    /// than twice the best other day.
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

/// The reason for a missing pace or a missing day of completion. The raw values are sent.
public enum MissingPaceReason: String, Sendable {
    case noEntries
    /// Fewer than two days have ended.
    case tooFewDays
    /// The reader has read nothing, or nearly nothing, for a long time.
    case atRest
    case finished
    case abandoned
}

/// A reader's position on a day.
public struct DailyPosition: Sendable, Equatable {
    public let day: Int64
    public let amount: Int64

    public init(day: Int64, amount: Int64) { (self.day, self.amount) = (day, amount) }
}

/// A prediction of whether a goal is reached in time at the present pace. The raw values are sent.
public enum GoalPrediction: String, Sendable {
    /// In time, with a tenth to spare or more.
    case yes
    /// At four fifths of the needed pace, or more.
    case tight
    case no
}
