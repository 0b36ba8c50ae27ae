import Model
import SharedByTests
import Testing

/// Comparisons with a second implementation of the pace, which distributes the amounts day by day, one by one.
@Suite("Pace by a second implementation")
struct PaceOracleTests {
    /// The amounts of each day from the first one on, or `nil` for a day that does not count.
    private struct Days {
        var read: [Int64: Int64] = [:]
        var silent: [(days: [Int64], amount: Int64)] = []

        init(_ marks: [DailyPosition], today: Int64) {
            guard let first = marks.first else { return }
            // The actual positions: none is further than a later one.
            let real = marks.indices.map { index in
                (day: min(marks[index].day, today), at: marks[index...].map(\.amount).min() ?? 0)
            }
            for (from, to) in zip(real, real.dropFirst()) {
                var rest = to.at - from.at
                if from.day == to.day {
                    if rest > 0 { read[to.day, default: 0] += rest }
                    continue
                }
                let days = Array(from.day + 1...to.day)
                var dealt: [Int64: Int64] = Dictionary(uniqueKeysWithValues: days.map { ($0, 0) })
                while rest > 0 {
                    for day in days.reversed() where rest > 0 {
                        dealt[day, default: 0] += 1
                        rest -= 1
                    }
                }
                if days.count > 7 {
                    silent.append((days, to.at - from.at))
                    // The amount is distributed like the others below, but today counts as today.
                    if let amount = dealt[today] { read[today, default: 0] += amount }
                    silentDealt.append(dealt)
                } else {
                    for (day, amount) in dealt { read[day, default: 0] += amount }
                }
            }
            let last = min(marks[marks.count - 1].day, today)
            for day in stride(from: max(last, first.day) + 1, to: today, by: 1) { read[day, default: 0] += 0 }
        }

        var silentDealt: [[Int64: Int64]] = []
    }

    private func perDay(_ marks: [DailyPosition], today: Int64) -> (perDay: Int64?, days: Int, today: Int64) {
        let days = Days(marks, today: today)
        func counts(_ day: Int64) -> Bool { day < today && today - day <= 30 }
        var counted = days.read.filter { counts($0.key) }
        let usual = counted.values.filter { $0 != 0 }.sorted()
        // The lower median.
        let middle = usual.first { one in usual.filter { $0 <= one }.count * 2 >= usual.count } ?? 0
        for (silence, dealt) in zip(days.silent, days.silentDealt) {
            let each = Int64((Double(silence.amount) / Double(silence.days.count)).rounded(.down))
            if each < Int64((Double(middle) / 4).rounded(.down)) { continue }
            for (day, amount) in dealt where counts(day) { counted[day, default: 0] += amount }
        }
        if Set(marks.map(\.day)).count < 2, days.read.values.allSatisfy({ $0 == 0 }) {
            counted = [:]
        }
        guard counted.count >= 2 else { return (nil, counted.count, days.read[today] ?? 0) }
        let most = counted.values.max() ?? 0
        let others = counted.values.sorted().dropLast().last ?? 0
        // Each day is repeated by its weight.
        var sum: Double = 0
        var count: Double = 0
        for (day, amount) in counted {
            let amount = others > 0 && amount == most ? min(amount, 2 * others) : amount
            for _ in 0..<(31 - (today - day)) {
                sum += Double(amount)
                count += 1
            }
        }
        return (Int64((sum / count).rounded(.down)), counted.count, days.read[today] ?? 0)
    }

    @Test("Over random histories both implementations agree, and an undo restores the state before", arguments: 0..<40)
    func same(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<50 {
            let today: Int64 = 1000
            var marks: [DailyPosition] = []
            var (day, at) = (today - Int64.random(in: 0...70, using: &random), Int64.random(in: 0...50, using: &random))
            let isRare = Bool.random(using: &random)
            for _ in 0..<Int.random(in: 0...40, using: &random) {
                marks.append(DailyPosition(day: day, amount: at))
                day += Int64.random(
                    in: 0...(Int.random(in: 0...9, using: &random) == 0 || isRare ? 25 : 2), using: &random)
                switch Int.random(in: 0...9, using: &random) {
                case 0: at = max(0, at - Int64.random(in: 0...40, using: &random))
                case 1: at += Int64.random(in: 0...400, using: &random)
                default: at += Int64.random(in: 0...20, using: &random)
                }
                if day > today + 1 { break }
            }
            let pace = ReadingPace(marks, on: today)
            let given = perDay(marks, today: today)
            #expect(pace.perDay == given.perDay && pace.days == given.days, "\(marks)")
            #expect(pace.readToday == given.today, "\(marks)")
            if let last = marks.last {
                let more = marks + [DailyPosition(day: last.day, amount: last.amount + 5)]
                #expect(ReadingPace(more.dropLast(), on: today) == pace)
                #expect(ReadingPace(more, on: today).perDay ?? 0 >= 0)
            }
        }
    }

    @Test(
        "The daily amount is the least that reaches the goal, and a reading on time is finished by then",
        arguments: 0..<20)
    func leads(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<200 {
            let read = Int64.random(in: 0...60, using: &random)
            let each = Int64.random(in: 1...40, using: &random)
            let pace = ReadingPace(
                [(97, 0), (98, each), (99, 2 * each), (100, 2 * each + read)].map {
                    DailyPosition(day: $0.0, amount: $0.1)
                }, on: 100)
            let (left, last) = (Int64.random(in: 0...500, using: &random), Int64.random(in: 99...110, using: &random))
            /// Returns the amount that is read by the end of a day.
            func by(_ day: Int64, at each: Int64) -> Int64 {
                day < 100 ? 0 : max(0, each - read) + (day - 100) * each
            }
            let least = left == 0 ? 0 : last < 100 ? nil : (1...1000).first { by(last, at: $0) >= left }
            #expect(pace.needed(reading: left, by: last) == least, "\(read) \(left) \(last)")
            let done = left == 0 ? 100 : (100...1000).first { by($0, at: each) >= left }
            #expect(pace.day(reading: left) == done, "\(each) \(read) \(left)")
            if pace.prediction(reading: left, by: last) == .yes, left > 0, let done { #expect(done <= last) }
            if pace.prediction(reading: left, by: last) == .no, let done { #expect(done > last) }
        }
    }
}
