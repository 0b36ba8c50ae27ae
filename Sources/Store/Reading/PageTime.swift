/// For how long the rows of a page are looked at. Monotonic; begins when it is made.
struct PageTime {
    private let end: Int64
    private let rowsMin: Int
    private var looked = 0

    init(microsecondsMax: Int, rowsMin: Int = 32) {
        end = Self.now + Int64(microsecondsMax)
        self.rowsMin = rowsMin
    }

    /// Whether it is time to end. Asked for every row: only one of so many looks at the clock, so that some rows there always are.
    var isOver: Bool {
        mutating get {
            looked += 1
            return looked % rowsMin == 0 && isSpent
        }
    }

    /// The same, asked the clock.
    var isSpent: Bool { Self.now > end }

    static var now: Int64 { Int64(MonotonicTime.microseconds) }
}
