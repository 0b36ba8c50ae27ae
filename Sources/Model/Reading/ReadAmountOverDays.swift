/// A range of days over which an amount was read, evenly as far as is known.
struct ReadAmountOverDays: Sendable {
    let days: ClosedRange<Int64>
    let amount: Int64
    /// A Boolean value indicating whether the reader recorded nothing for more than `silenceMax` days.
    let isLong: Bool

    /// The number of days without a record that is usual for people who are reading.
    private static let silenceMax: Int64 = 7

    private init(_ days: ClosedRange<Int64>, _ amount: Int64, isSilence: Bool = false) {
        (self.days, self.amount) = (days, amount)
        isLong = isSilence && days.upperBound - days.lowerBound >= Self.silenceMax
    }

    /// Returns the amounts read between daily positions, and from the last one up to a day. Progress that a later
    /// position takes back does not count.
    static func all(of marks: [DailyPosition], through today: Int64) -> [ReadAmountOverDays] {
        var stretches: [ReadAmountOverDays] = []
        guard let last = marks.last else { return stretches }
        var day = min(last.day, today)
        if day < today { stretches.append(ReadAmountOverDays(day + 1...today, 0)) }
        var reached = last.amount
        for mark in marks.dropLast().reversed() {
            let (before, amount) = (min(mark.day, day), min(mark.amount, reached))
            if before < day {
                stretches.append(ReadAmountOverDays(before + 1...day, reached - amount, isSilence: true))
            } else if reached > amount {
                stretches.append(ReadAmountOverDays(day...day, reached - amount))
            }
            (day, reached) = (before, amount)
        }
        return stretches
    }

    /// The amount read per day.
    var perDay: Int64 { amount / count }

    /// Returns the amount read on one of the days. The last days get the remainder of the division.
    func amount(on day: Int64) -> Int64 {
        amount / count + (days.upperBound - day < amount % count ? 1 : 0)
    }

    private var count: Int64 { days.upperBound - days.lowerBound + 1 }
}
