import Testing

@testable import Scheduling

@Suite("Rate limiters")
struct RateLimiterTests {
    @Test("Events are allowed in a burst, then at a fixed rate, and other keys are not delayed")
    func rate() throws {
        let (limiter, rate) = (RateLimiter(), RateLimiter.Rate(burst: 3, seconds: 30))
        for _ in 1...3 { try limiter.admit("ada", rate, at: 100) }
        #expect(throws: RateLimiter.TooSoon(seconds: 30)) { try limiter.admit("ada", rate, at: 100) }
        #expect(throws: RateLimiter.TooSoon(seconds: 10)) { try limiter.admit("ada", rate, at: 120) }
        try limiter.admit("ben", rate, at: 120)
        let last = try limiter.admit("ada", rate, at: 130)
        #expect(throws: RateLimiter.TooSoon(seconds: 30)) { try limiter.admit("ada", rate, at: 130) }
        limiter.takeBack(last)
        try limiter.admit("ada", rate, at: 130)
    }

    @Test("A hundred events an hour are allowed at once, and then one each 36 seconds")
    func hourly() throws {
        let (limiter, rate) = (RateLimiter(), RateLimiter.Rate(burst: 100, seconds: 36))
        for _ in 1...100 { try limiter.admit(0, rate, at: 5000.1) }
        #expect(throws: RateLimiter.TooSoon(seconds: 36)) { try limiter.admit(0, rate, at: 5000.1) }
        try limiter.admit(0, rate, at: 5036.1)
        #expect(throws: RateLimiter.TooSoon(seconds: 35)) { try limiter.admit(0, rate, at: 5037.1) }
    }

    @Test("Events of many keys delay few other keys")
    func manyKeys() {
        let (limiter, rate) = (RateLimiter(), RateLimiter.Rate(burst: 1, seconds: 30))
        for number in 0..<3000 { _ = try? limiter.admit(number, rate, at: 0) }
        let slowed = (10_000..<11_000).count { (try? limiter.admit($0, rate, at: 1)) == nil }
        #expect(slowed < 60)
    }

    @Test("A key with too many events stays refused whatever others do")
    func crowds() {
        let (limiter, rate) = (RateLimiter(), RateLimiter.Rate(burst: 5, seconds: 1))
        for _ in 0..<5 { _ = try? limiter.admit("culprit", rate, at: 0) }
        for key in 0..<1000 { for _ in 0..<6 { _ = try? limiter.admit(key, rate, at: 0) } }
        #expect((try? limiter.admit("culprit", rate, at: 0)) == nil)
        let refused = (0..<1000).count { (try? limiter.admit(1 << 40 + $0, rate, at: 0)) == nil }
        // About one in a thousand shares both of its places with others.
        #expect(refused <= 10, "\(refused) of 1000")
    }

    @Test("Events that are taken back use no allowance of another key")
    func takenBack() {
        let (limiter, rate) = (RateLimiter(), RateLimiter.Rate(burst: 1, seconds: 30))
        let victims = 0..<10_000
        for name in victims { _ = try? limiter.admit(name, rate, at: 0) }
        // These are so many that they share most places of the others.
        for name in 100_000..<200_000 {
            if let counted = try? limiter.admit(name, rate, at: 0) { limiter.takeBack(counted) }
        }
        #expect(victims.count { (try? limiter.admit($0, rate, at: 0)) != nil } == 0)
    }
}
