import Synchronization

/// A token bucket as one number (GCRA): the time at which it would be full. Each request moves that time ahead by the
/// interval between two requests, up to the length of a burst. All event loops take from it without a lock.
final class TokenBucket: Sendable {
    private let fullAt = Atomic<Int64>(0)

    /// Takes the amount of `weight` requests, or nothing. Returns the rest in nanoseconds. If it is negative, nothing
    /// was taken, and that much is missing. A weight larger than the bucket takes all of it.
    @inline(__always)
    func take(_ weight: Int, _ limit: RateLimit, at now: Int64) -> Int64 {
        let (interval, tolerance) = (limit.interval, limit.tolerance)
        if interval == 0 { return .max }
        let price = interval &* Int64(min(weight, limit.burst))
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

    /// Gives back the amount of `weight` requests, which was taken for a request that is refused.
    func giveBack(_ weight: Int, _ limit: RateLimit) {
        fullAt.subtract(limit.interval &* Int64(min(weight, limit.burst)), ordering: .relaxed)
    }

    /// Takes a cost that was not known before, even if less is left. The bucket must refill before more can be taken.
    /// The deficit is at most a whole bucket.
    func charge(_ weight: Int, _ limit: RateLimit, at now: Int64) {
        let (interval, tolerance) = (limit.interval, limit.tolerance)
        if interval == 0 { return }
        let price = interval &* Int64(min(weight, limit.burst))
        var before = fullAt.load(ordering: .relaxed)
        while true {
            let after = min(max(before, now) &+ price, max(before, now &+ 2 &* tolerance))
            let result = fullAt.weakCompareExchange(expected: before, desired: after, ordering: .relaxed)
            if result.exchanged { return }
            before = result.original
        }
    }

    /// Returns whether the bucket equals a new one.
    func isFull(at now: Int64) -> Bool { fullAt.load(ordering: .relaxed) <= now }
}
