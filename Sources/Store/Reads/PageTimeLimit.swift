import Measures

/// The monotonic time limit for the rows of one page. It starts when the value is created.
struct PageTimeLimit {
    private let end: Int64
    private let rowsMin: Int
    private var looked = 0

    init(microsecondsMax: Int, rowsMin: Int = 32) {
        end = Self.now + Int64(microsecondsMax)
        self.rowsMin = rowsMin
    }

    /// A Boolean value indicating whether the page should end. Call it for each row: it checks the clock only every
    /// `rowsMin` rows, so each page visits some rows.
    var isOver: Bool {
        mutating get {
            looked += 1
            return looked % rowsMin == 0 && isSpent
        }
    }

    /// A Boolean value indicating whether the time is over, by the clock.
    var isSpent: Bool { Self.now > end }

    static var now: Int64 { Int64(MonotonicClock.microseconds()) }
}
