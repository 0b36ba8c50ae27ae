/// An event that a thread waits for with a timeout.
final class ThreadWakeEvent: @unchecked Sendable {
    // SAFETY: the condition's lock guards `isRung`.
    private let condition = MonotonicCondition()
    private var isRung = false

    func set() {
        condition.lock()
        defer { condition.unlock() }
        isRung = true
        condition.signal()
    }

    /// Waits until `ring()` is called or was called since the last wait, or until the timeout. It may return early.
    func wait(seconds: Int) {
        condition.lock()
        defer { condition.unlock() }
        if !isRung { condition.wait(milliseconds: seconds * 1000) }
        isRung = false
    }
}
