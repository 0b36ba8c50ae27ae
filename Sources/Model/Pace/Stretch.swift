/// Days over which something was read, evenly for all that is known.
struct Stretch: Sendable {
    let days: ClosedRange<Int64>
    let amount: Int64
    /// Whether nothing was said for more days than most let pass, before the place at which it ends.
    let isLong: Bool

    /// Days that most who read say nothing for at most.
    private static let silenceMax: Int64 = 7

    private init(_ days: ClosedRange<Int64>, _ amount: Int64, isSilence: Bool = false) {
        (self.days, self.amount) = (days, amount)
        isLong = isSilence && days.upperBound - days.lowerBound >= Self.silenceMax
    }

    /// What was read between marks, and since the last one, up to a day. What a later mark takes back was not read.
    static func all(of marks: [ReadingPace.Mark], through today: Int64) -> [Stretch] {
        var stretches: [Stretch] = []
        guard let last = marks.last else { return stretches }
        var day = min(last.day, today)
        if day < today { stretches.append(Stretch(day + 1...today, 0)) }
        var reached = last.amount
        for mark in marks.dropLast().reversed() {
            let (before, amount) = (min(mark.day, day), min(mark.amount, reached))
            if before < day {
                stretches.append(Stretch(before + 1...day, reached - amount, isSilence: true))
            } else if reached > amount {
                stretches.append(Stretch(day...day, reached - amount))
            }
            (day, reached) = (before, amount)
        }
        return stretches
    }

    /// What was read a day.
    var perDay: Int64 { amount / count }

    /// What was read on one of its days: what cannot be divided on the last ones.
    func amount(on day: Int64) -> Int64 {
        amount / count + (days.upperBound - day < amount % count ? 1 : 0)
    }

    private var count: Int64 { days.upperBound - days.lowerBound + 1 }
}
