import Synchronization

/// A token bucket as one number (GCRA): the time at which it would be full. Each request moves that on by the time between two; it
/// may lie no farther ahead than a burst is long. All event loops take out of it, without a lock.
struct Bucket: ~Copyable, Sendable {
    private let fullAt = Atomic<Int64>(0)

    /// Takes out as much as so many requests do, or nothing. What is left, in nanoseconds ahead of time; where it is negative, nothing
    /// was taken, and as much time is missing. What is larger than the bucket takes all of it.
    @inline(__always)
    func take(_ weight: Int, _ limit: RateLimit, at now: Int64) -> Int64 {
        let (interval, tolerance) = (limit.interval, limit.tolerance)
        if interval == 0 { return .max }
        let price = Self.price(weight, interval, tolerance)
        var before = fullAt.load(ordering: .relaxed)
        while true {
            let after = max(before, now) &+ price
            let left = tolerance &- (after &- now)
            if left < 0 { return left }
            let result = fullAt.weakCompareExchange(expected: before, desired: after, ordering: .relaxed)
            if result.exchanged { return left }
            before = result.original
        }
    }

    /// Takes out what something has cost besides, whether or not it is there: what is missing must come in again before there is
    /// more. Never more than a whole bucket is missing.
    func charge(_ weight: Int, _ limit: RateLimit, at now: Int64) {
        let (interval, tolerance) = (limit.interval, limit.tolerance)
        if interval == 0 { return }
        let price = Self.price(weight, interval, tolerance)
        var before = fullAt.load(ordering: .relaxed)
        while true {
            let after = min(max(before, now) &+ price, max(before, now &+ 2 &* tolerance))
            let result = fullAt.weakCompareExchange(expected: before, desired: after, ordering: .relaxed)
            if result.exchanged { return }
            before = result.original
        }
    }

    /// Whether it is as good as a new one.
    func isFull(at now: Int64) -> Bool { fullAt.load(ordering: .relaxed) <= now }

    @inline(__always)
    private static func price(_ weight: Int, _ interval: Int64, _ tolerance: Int64) -> Int64 {
        if weight == 1 { return interval }
        let (price, isTooMuch) = Int64(weight).multipliedReportingOverflow(by: interval)
        return isTooMuch ? tolerance : min(price, tolerance)
    }
}

/// A bucket that several hold.
final class SharedBucket: Sendable {
    let bucket = Bucket()
}
