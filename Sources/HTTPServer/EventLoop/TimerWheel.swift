internal import Glibc

/// Deadlines with a granularity of one second. Postponing a deadline costs one store: the connection stays in its
/// bucket, and moves when the old deadline passes.
struct TimerWheel: ~Copyable {
    private static var bucketCount: Int { 128 }
    /// The bucket of connections whose deadline may have passed.
    private static var dueBucket: Int { bucketCount }

    // SAFETY: owned by this value; one slot number per bucket, all initialised.
    private let first: UnsafeMutablePointer<Int32>
    private var second: Int64

    init(now: Int64) {
        first = .allocate(capacity: Self.bucketCount + 1)
        first.initialize(repeating: -1, count: Self.bucketCount + 1)
        second = now / 1000
    }

    deinit { first.deallocate() }

    /// Sets a connection's deadline, in monotonic milliseconds.
    @inline(__always)
    mutating func set(_ connection: ConnectionPointer, _ deadline: Int64, _ table: borrowing ConnectionTable) {
        connection.pointee.deadline = deadline
        if connection.pointee.timerBucket >= 0, deadline / 1000 + 1 >= connection.pointee.timerSecond { return }
        unlink(connection, table)
        link(connection, table)
    }

    mutating func unlink(_ connection: ConnectionPointer, _ table: borrowing ConnectionTable) {
        let bucket = Int(connection.pointee.timerBucket)
        if bucket < 0 { return }
        let next = connection.pointee.timerNext
        let previous = connection.pointee.timerPrevious
        if previous >= 0 { table[Int(previous)].pointee.timerNext = next } else { first[bucket] = next }
        if next >= 0 { table[Int(next)].pointee.timerPrevious = previous }
        connection.pointee.timerBucket = -1
    }

    /// Advances to `now`; `nextDue` then returns the connections whose deadline has passed.
    mutating func advance(_ now: Int64, _ table: borrowing ConnectionTable) {
        let target = now / 1000
        if target - second >= Int64(Self.bucketCount) { second = target - Int64(Self.bucketCount) }
        while second < target {
            second += 1
            let bucket = Int(second) % Self.bucketCount
            while first[bucket] >= 0 {
                let connection = table[Int(first[bucket])]
                unlink(connection, table)
                push(connection, Self.dueBucket, table)
            }
        }
    }

    /// Removes and returns the next connection whose deadline has passed, or `nil`.
    mutating func nextDue(_ now: Int64, _ table: borrowing ConnectionTable) -> ConnectionPointer? {
        while first[Self.dueBucket] >= 0 {
            let connection = table[Int(first[Self.dueBucket])]
            unlink(connection, table)
            if connection.pointee.deadline <= now { return connection }
            link(connection, table)
        }
        return nil
    }

    private mutating func link(_ connection: ConnectionPointer, _ table: borrowing ConnectionTable) {
        let wanted = connection.pointee.deadline / 1000 + 1
        let at = min(max(wanted, second + 1), second + Int64(Self.bucketCount) - 1)
        connection.pointee.timerSecond = at
        push(connection, Int(at) % Self.bucketCount, table)
    }

    private mutating func push(_ connection: ConnectionPointer, _ bucket: Int, _ table: borrowing ConnectionTable) {
        let next = first[bucket]
        connection.pointee.timerNext = next
        connection.pointee.timerPrevious = -1
        connection.pointee.timerBucket = Int32(bucket)
        if next >= 0 { table[Int(next)].pointee.timerPrevious = Int32(connection.pointee.slot) }
        first[bucket] = Int32(connection.pointee.slot)
    }
}

/// The system clocks. A loop reads them once per round, and between requests that wait for each other.
package enum MonotonicClock {
    /// Returns monotonic milliseconds.
    package static func now() -> Int64 { microseconds() / 1000 }

    /// Returns monotonic nanoseconds.
    @inline(__always)
    package static func nanoseconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }

    /// Returns monotonic microseconds, for intervals much shorter than a round.
    static func microseconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
    }

    /// Returns the seconds since 1970, for the Date field only.
    static func wallSeconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec)
    }
}
