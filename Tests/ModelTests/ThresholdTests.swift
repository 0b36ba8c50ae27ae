import Model
import Testing

/// Tests of thresholds, as tables: the marks that reach them, and their raising.
@Suite("Thresholds")
struct ThresholdTests {
    /// Returns a threshold from a scale's key and an amount, or none, and a share in hundredths.
    private static func threshold(_ scale: Int64?, _ at: Int64?, _ share: Int64) -> SpoilerThreshold {
        SpoilerThreshold(
            at: scale.flatMap { scale in at.map { (scale, $0) } }, share: Progress(clamping: share * 10_000))
    }

    @Test(
        "The contract's name of a threshold follows from its value",
        arguments: [
            (nil, nil, 0, .everyone), (nil, nil, 100, .finished), (nil, nil, 50, .position), (1, 7, 50, .position),
            (1, 7, 100, .position), (1, 7, 0, .everyone),
        ] as [(Int64?, Int64?, Int64, SpoilerThresholdKind)])
    func words(_ scale: Int64?, _ at: Int64?, _ share: Int64, _ word: SpoilerThresholdKind) {
        #expect(Self.threshold(scale, at, share).kind == word)
    }

    @Test("The slack is added after a position, up to the end of the book, and not at its beginning")
    func slack() {
        let slack = Progress(clamping: 50_000)
        func share(_ hundredths: Int64) -> Int32 {
            SpoilerThreshold(at: (1, 7), share: Progress(clamping: hundredths * 10_000)).adding(slack).share.millionths
        }
        #expect([0, 1, 82, 95, 97, 100].map(share) == [0, 60_000, 870_000, 1_000_000, 1_000_000, 1_000_000])
        #expect(SpoilerThreshold(at: (1, 7), share: Progress(clamping: 970_000)).adding(slack).kind == .position)
        #expect(Self.threshold(1, 7, 40).adding(slack) == Self.threshold(1, 7, 45))
        #expect(
            SpoilerThreshold.everyone.adding(slack) == .everyone && SpoilerThreshold.finished.adding(slack) == .finished
        )
    }

    private struct Row: Sendable {
        let from: SpoilerThreshold
        let to: SpoilerThreshold
        let raised: SpoilerThreshold
        let isEarlier: Bool
    }

    private static let rows = [
        // Within a scale the greater amount counts.
        Row(from: threshold(1, 7, 40), to: threshold(1, 9, 50), raised: threshold(1, 9, 50), isEarlier: false),
        Row(from: threshold(1, 7, 40), to: threshold(1, 7, 40), raised: threshold(1, 7, 40), isEarlier: false),
        Row(from: threshold(1, 7, 40), to: threshold(1, 5, 30), raised: threshold(1, 7, 40), isEarlier: true),
        Row(from: threshold(1, 7, 40), to: threshold(1, 9, 30), raised: threshold(1, 9, 40), isEarlier: false),
        // Across scales the result has no scale, and the greater share.
        Row(from: threshold(1, 7, 40), to: threshold(2, 9, 50), raised: threshold(nil, nil, 50), isEarlier: false),
        Row(from: threshold(1, 7, 40), to: threshold(2, 3, 30), raised: threshold(nil, nil, 40), isEarlier: true),
        Row(from: threshold(nil, nil, 40), to: threshold(1, 9, 60), raised: threshold(nil, nil, 60), isEarlier: false),
        Row(from: threshold(1, 7, 40), to: .finished, raised: .finished, isEarlier: false),
        Row(from: .finished, to: threshold(1, 7, 40), raised: .finished, isEarlier: true),
        // From `everyone` to any threshold.
        Row(from: .everyone, to: threshold(1, 7, 40), raised: threshold(1, 7, 40), isEarlier: false),
        Row(from: threshold(1, 7, 40), to: .everyone, raised: threshold(1, 7, 40), isEarlier: true),
    ]

    @Test("A threshold rises within its scale, else to a share", arguments: rows.indices)
    func raised(_ index: Int) {
        let row = Self.rows[index]
        #expect(row.from.raised(to: row.to) == row.raised)
        #expect(row.to.isEarlier(than: row.from) == row.isEarlier)
    }

    @Test("A reader who does not reach a threshold does not reach the raised one")
    func never() {
        let all = [Int64?.none, 1, 2].flatMap { scale in
            [3, 7].flatMap { at in [0, 30, 60, 100].map { Self.threshold(scale, scale == nil ? nil : at, $0) } }
        }
        // Marks in two scales, and of the book.
        for (first, second, share) in [(0, 0, 30), (3, 0, 0), (7, 3, 0), (0, 7, 60), (7, 7, 100), (5, 5, 40)]
            as [(Int64, Int64, Int64)]
        {
            func isReached(_ threshold: SpoilerThreshold) -> Bool {
                let mark = threshold.scale == 1 ? first : second
                return Int64(threshold.share.millionths) <= share * 10_000 || threshold.at.map { $0 <= mark } ?? false
            }
            for from in all {
                for to in all where !isReached(from) || !isReached(to) {
                    #expect(!isReached(from.raised(to: to)), "\(from) \(to)")
                }
            }
        }
    }
}
