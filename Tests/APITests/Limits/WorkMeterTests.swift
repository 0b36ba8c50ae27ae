import Glibc
import Testing

@testable import API

@Suite("The work of a thread")
struct CPUTimeMeterTests {
    private static func now() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    private func work(_ milliseconds: Int64) {
        var (start, time) = (timespec(), timespec())
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start)
        repeat {
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        } while Int64(time.tv_sec - start.tv_sec) * 1000 + Int64(time.tv_nsec - start.tv_nsec) / 1_000_000
            < milliseconds
    }

    @Test("Work counts to a millisecond, also right after other work; waiting and short work count nothing")
    func measured() {
        var meter = CPUTimeMeter()
        for _ in 0..<3 {
            meter.begin(at: Self.now())
            work(20)
            let worked = meter.end(at: Self.now())
            #expect((18_000_000...30_000_000).contains(worked), "\(worked)")
        }
        let now = Self.now()
        meter.begin(at: now)
        // This simulates a wait of that length.
        let rested = meter.end(at: now + 20_000_000)
        #expect(rested < 5_000_000, "\(rested)")
        meter.begin(at: now)
        #expect(meter.hasBegun && meter.end(at: now + 900_000) == 0 && !meter.hasBegun)
    }
}
