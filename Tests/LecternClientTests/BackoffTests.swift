import SharedByTests
import Testing

@testable import LecternClient

@Suite("Delays before a reconnection")
struct BackoffTests {
    private func waits(_ backoff: inout ReconnectionBackoff, _ count: Int) -> [Double] {
        var random = SeededGenerator(seed: 3)
        return (0..<count).map { _ in backoff.next(using: &random) / .milliseconds(1) }
    }

    @Test("Twice as long after each failure, up to fifteen seconds, and up to half as much again by chance")
    func growing() {
        var backoff = ReconnectionBackoff()
        let expected: [Double] = [1000, 2000, 4000, 8000, 15_000, 15_000]
        let waits = waits(&backoff, 6)
        #expect(zip(waits, expected).allSatisfy { ($1...$1 * 1.5).contains($0) }, "\(waits)")
        #expect(waits[4] != waits[5])
    }

    @Test("The server's retry time is used, even a day, and a live connection resets the delay")
    func asked() {
        var backoff = ReconnectionBackoff()
        _ = waits(&backoff, 5)
        backoff.apply(300, isLive: true)
        #expect((300...450).contains(waits(&backoff, 1)[0]))
        backoff.apply(86_400_000, isLive: false)
        #expect((86_400_000...129_600_000).contains(waits(&backoff, 3)[2]))
        backoff.apply(.max, isLive: true)
        #expect(waits(&backoff, 1)[0] >= 86_400_000)
    }

    @Test("No client reconnects immediately, or earlier than a refusal says")
    func atLeast() {
        var backoff = ReconnectionBackoff()
        var random = SeededGenerator(seed: 5)
        backoff.apply(0, isLive: true)
        #expect(backoff.next(using: &random) >= .milliseconds(100))
        #expect(backoff.next(atLeastSeconds: 20, using: &random) >= .seconds(20))
        #expect(backoff.next(atLeastSeconds: .max, using: &random) < .seconds(200_000))
    }
}
