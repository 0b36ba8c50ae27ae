/// What places mean and where notes open, said a second time: in whole numbers, of what was said and of what was known of chapters
/// then.
struct StoryRules {
    /// In thousandths of its unit.
    struct Edition {
        let format: String
        let member: String
        let length: Int
        let start: Int
        let end: Int
    }

    enum Said {
        /// A share of the story, in an edition or in none; in millionths.
        case share(Int, in: Int?)
        /// So much of an edition.
        case amount(Int, in: Int)
        /// The first is 0; in millionths of it.
        case chapter(Int, Int)
    }

    enum Frame: Hashable {
        case unsaid, chapters
        case edition(Int)
        /// Rounded, for all others.
        case coarse
    }

    struct Spot {
        var share: Int
        var frame: Frame
        var floor: Int
        var ceiling: Int?
    }

    struct Opening: Equatable {
        var frame: Frame?
        var inFrame = 0
        var share: Int

        static let everyone = Opening(share: 0)
        static let finished = Opening(share: whole)
    }

    static let whole = 1_000_000
    static let slack = 50_000
    static let editions = [
        Edition(format: "paper", member: "page", length: 400_000, start: 10_000, end: 390_000),
        Edition(format: "ebook", member: "progress", length: 100_000, start: 2_000, end: 82_000),
        Edition(format: "audio", member: "seconds", length: 40_000_000, start: 100_000, end: 39_900_000),
        Edition(format: "paper", member: "page", length: 250_000, start: 5_000, end: 245_000),
    ]

    /// Where each chapter begins; none while nobody said it.
    var begins: [Int] = []
    /// Where they do in an edition.
    var anchors: [Int: [Int]] = [:]

    private func end(_ chapter: Int) -> Int { chapter + 1 < begins.count ? begins[chapter + 1] : Self.whole }

    /// How much of the story lies before an amount of an edition.
    private func share(_ amount: Int, in index: Int) -> Int {
        let edition = Self.editions[index]
        if amount >= edition.end { return Self.whole }
        var from = (edition.start, 0)
        for (anchor, share) in zip(anchors[index] ?? [], begins) {
            if amount < anchor { return part(amount, from, (anchor, share)) }
            from = (anchor, share)
        }
        return part(amount, from, (edition.end, Self.whole))
    }

    private func part(_ amount: Int, _ from: (Int, Int), _ to: (Int, Int)) -> Int {
        amount < from.0 ? from.1 : from.1 + (amount - from.0) * (to.1 - from.1) / (to.0 - from.0)
    }

    func spot(_ said: Said) -> Spot {
        switch said {
        case .chapter(let chapter, let fraction):
            let (start, end) = (begins[chapter], end(chapter))
            return Spot(
                share: start + (end - start) * fraction / Self.whole, frame: .chapters,
                floor: fraction == Self.whole ? end : start, ceiling: end)
        case .amount(let amount, let index): return spot(share: share(amount, in: index), in: index)
        case .share(let share, let index): return spot(share: share, in: index)
        }
    }

    private func spot(share: Int, in index: Int?) -> Spot {
        let isAnchored = index.map { anchors[$0] != nil } ?? false
        let frame: Frame = isAnchored ? .chapters : index.map { .edition($0) } ?? .unsaid
        guard !begins.isEmpty else { return Spot(share: share, frame: frame, floor: share, ceiling: nil) }
        var place = share
        if !isAnchored, let other = anchors.keys.min() {
            let edition = Self.editions[other]
            place = self.share(edition.start + (edition.end - edition.start) * share / Self.whole, in: other)
        }
        let chapter = begins.lastIndex { $0 <= place }
        let floor = share == Self.whole ? Self.whole : chapter.map { begins[$0] } ?? 0
        let ceiling = chapter.map { end($0) } ?? begins[0]
        return Spot(share: share, frame: frame, floor: min(floor, share), ceiling: max(ceiling, share))
    }

    func opening(_ spot: Spot) -> Opening {
        if spot.share == 0 { return .everyone }
        let others = spot.ceiling ?? min(spot.share + Self.slack, Self.whole)
        return Opening(frame: spot.frame, inFrame: spot.share, share: max(others, spot.share))
    }

    /// That of a reply.
    static func reply(_ own: Opening, to other: Opening) -> Opening {
        if other.share == 0 { return own }
        if own.share == 0 { return other }
        let share = max(own.share, other.share)
        guard own.frame != nil, own.frame == other.frame else { return Opening(share: share) }
        return Opening(frame: own.frame, inFrame: max(own.inFrame, other.inFrame), share: share)
    }

    /// Whether who has come so far sees what opens there.
    static func isOpen(_ opening: Opening, to reached: [Frame: Int]) -> Bool {
        if let frame = opening.frame, reached[frame, default: -1] >= opening.inFrame { return true }
        return opening.share == 0 || max(reached[.unsaid] ?? 0, reached[.coarse] ?? 0) >= opening.share
    }
}
