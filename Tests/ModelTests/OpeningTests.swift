import Model
import Testing

/// Where notes open.
@Suite("Openings")
struct OpeningTests {
    private func share(_ fraction: Double) -> Progress { Progress(fraction) ?? .none }

    private func opening(_ position: Double, in frame: Int64, forOthers others: Double) -> Opening {
        Opening(at: share(position), in: frame, forOthers: share(others))
    }

    @Test("what is at the very beginning is open to everyone, and nothing opens to others before it does in its frame")
    func beginning() {
        let first = opening(0, in: 7, forOthers: 0.05)
        #expect((first.frame, first.inFrame, first.share) == (nil, nil, Progress.none))
        let late = opening(0.5, in: 7, forOthers: 0.2)
        #expect((late.inFrame, late.share) == (500_000, share(0.5)))
    }

    @Test("a reply opens no earlier than what it answers, in its frame and for all others")
    func replies() {
        let answered = opening(0.43, in: 7, forOthers: 0.48)
        let earlier = opening(0.1, in: 7, forOthers: 0.6).noEarlier(than: answered)
        #expect((earlier.frame, earlier.inFrame, earlier.share) == (7, 430_000, share(0.6)))
        let elsewhere = opening(0.5, in: 8, forOthers: 0.55).noEarlier(than: answered)
        #expect((elsewhere.frame, elsewhere.inFrame, elsewhere.share) == (nil, nil, share(0.55)))
        #expect(Opening.everyone.noEarlier(than: answered) == answered)
        #expect(answered.noEarlier(than: .everyone) == answered)
        let finished = answered.noEarlier(than: .finished)
        #expect((finished.frame, finished.share) == (nil, .whole))
    }

    @Test("what is raised is raised for all, and never sinks")
    func raised() {
        let raised = opening(0.43, in: 7, forOthers: 0.48).raised(to: share(0.6))
        #expect((raised.frame, raised.inFrame, raised.share) == (7, 600_000, share(0.6)))
        #expect(raised.raised(to: share(0.2)) == raised)
    }

    @Test("of what is said in an edition each way is compared with its own, and raised it is in the story only")
    func ways() {
        func opening(_ part: Int64, in edition: Int64, _ most: Int64?, _ others: Double) -> Opening {
            Opening(kept: part, in: 2 << 60 | edition, byChapters: most, forOthers: share(others))
        }
        let answered = opening(300_000_000, in: 7, 430_000_000, 0.5)
        let later = opening(400_000_000, in: 7, 410_000_000, 0.5).noEarlier(than: answered)
        #expect((later.inFrame, later.mostByChapters, later.share) == (400_000_000, 430_000_000, share(0.5)))
        let elsewhere = opening(900_000_000, in: 8, 600_000_000, 0.7).noEarlier(than: answered)
        #expect((elsewhere.frame, elsewhere.mostByChapters, elsewhere.share) == (nil, 600_000_000, share(0.7)))
        let unknown = opening(900_000_000, in: 7, nil, 0.7).noEarlier(than: answered)
        #expect((unknown.inFrame, unknown.mostByChapters) == (900_000_000, nil))
        let raised = answered.raised(to: share(0.6))
        #expect((raised.frame, raised.inFrame, raised.mostByChapters) == (nil, nil, 600_000_000))
        #expect(unknown.nearest == share(0.9) && answered.nearest == share(0.43) && raised.nearest == share(0.6))
    }
}
