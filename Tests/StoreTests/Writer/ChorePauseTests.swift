import Testing

@testable import Store

@Suite("Pauses of bulk changes")
struct ChorePauseTests {
    @Test(
        "A slice is followed by a pause of four times its length, of a second at most",
        arguments: [(0, 0), (250, 1), (10_000, 40), (200_000, 800), (250_000, 1000), (5_000_000, 1000)])
    func pauses(_ slice: Int, _ milliseconds: Int) {
        var pause = BulkChangePause()
        #expect(pause.millisecondsLeft(at: 7) == 0)
        pause.record(began: 1_000_000, ended: 1_000_000 + slice)
        #expect(pause.millisecondsLeft(at: 1_000_000 + slice) == milliseconds)
        #expect(pause.millisecondsLeft(at: 1_000_000 + slice + milliseconds * 1000) == 0)
    }

    @Test("The rest of a pause is rounded up, so that the writer does not wait in a loop")
    func roundsUp() {
        var pause = BulkChangePause()
        pause.record(began: 0, ended: 1000)
        #expect(pause.millisecondsLeft(at: 4999) == 1)
        #expect(pause.millisecondsLeft(at: 5000) == 0)
    }
}
