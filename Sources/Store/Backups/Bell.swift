/// What a thread waits at until it is rung for, or for some time.
final class Bell: @unchecked Sendable {
    // SAFETY: the condition's lock guards `isRung`.
    private let condition = MonotonicCondition()
    private var isRung = false

    func ring() {
        condition.lock()
        defer { condition.unlock() }
        isRung = true
        condition.signal()
    }

    /// Returns at once where it was rung since the last time; now and then without being rung.
    func wait(seconds: Int) {
        condition.lock()
        defer { condition.unlock() }
        if !isRung { condition.wait(milliseconds: seconds * 1000) }
        isRung = false
    }
}
