/// What places mean and where notes open, said a second time: in whole numbers, of what was said and of what was known of chapters
/// then.
struct StoryRules {
    /// All that was held true of an edition: between which amounts each share of the story is reached.
    struct Belief {
        private var points: [(share: Int, late: Int, early: Int)]

        init(_ edition: Edition, _ begins: [(Int, Int, Int)]) {
            points = begins.map { (share: $0.0, late: $0.1, early: $0.2) }
            if points.first?.share != 0, points.first?.early != edition.start {
                points.insert((0, edition.start, edition.start), at: 0)
            }
            points.append((whole, edition.end, edition.end))
        }

        func and(_ other: Belief) -> Belief {
            var both = self
            both.points = Set((points + other.points).map(\.share)).sorted().map { share in
                let (one, two) = (amounts(share), other.amounts(share))
                return (share, max(one.late, two.late), min(one.early, two.early))
            }
            return both
        }

        private func amounts(_ share: Int) -> (late: Int, early: Int) {
            guard let next = points.firstIndex(where: { share <= $0.share }), next > 0 else {
                return (points[0].late, points[0].early)
            }
            let (from, to) = (points[next - 1], points[next])
            let (rise, more) = (to.share - from.share, share - from.share)
            return (
                from.late + ((to.late - from.late) * more + rise - 1) / rise,
                from.early + (to.early - from.early) * more / rise
            )
        }

        func least(_ amount: Int) -> Int { share(amount, \.late) }
        func most(_ amount: Int) -> Int { share(amount, \.early) }

        /// In billionths.
        private func share(_ amount: Int, _ side: KeyPath<(share: Int, late: Int, early: Int), Int>) -> Int {
            guard let next = points.firstIndex(where: { amount < $0[keyPath: side] }) else { return whole * 1000 }
            guard next > 0 else { return 0 }
            let (from, to) = (points[next - 1], points[next])
            return from.share * 1000 + (amount - from[keyPath: side]) * (to.share - from.share) * 1000
                / (to[keyPath: side] - from[keyPath: side])
        }
    }

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

    /// What was said, what that is now, and what was held true of its edition as well.
    struct Spot {
        var share: Int
        var frame: Frame
        /// Of an edition, in billionths.
        var part = 0
        /// Of the story, at least and at most, in billionths.
        var least = 0
        var most = 0
        var areChaptersKnown = false
        var floor: Int
        var ceiling: Int?

        /// Where its reader is.
        var reached: [Frame: Int] {
            switch frame {
            case .unsaid: [.unsaid: share]
            case .chapters: [.chapters: least, .coarse: floor]
            default: [frame: part, .coarse: floor].merging(areChaptersKnown ? [.chapters: least] : [:]) { $1 }
            }
        }
    }

    struct Opening: Equatable {
        var frame: Frame?
        var inFrame = 0
        var byChapters: Int?
        var share: Int

        static let everyone = Opening(share: 0)
        static let finished = Opening(share: whole)

        var nearest: Int {
            if let byChapters { return byChapters / 1000 }
            return frame == nil ? share : frame == .unsaid ? inFrame : inFrame / 1000
        }

        mutating func raise(to share: Int) {
            if frame == .unsaid { inFrame = max(inFrame, share) } else { (frame, inFrame) = (nil, 0) }
            byChapters = byChapters.map { max($0, share * 1000) }
            self.share = max(self.share, share)
        }
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

    /// What was held true of editions when so much of them was said.
    var believed: [Int: Belief] = [:]

    private func end(_ chapter: Int) -> Int { chapter + 1 < begins.count ? begins[chapter + 1] : Self.whole }

    /// What is held true of an edition now: where its chapters begin, or, if that is not known, that all of it is alike, and, if it is
    /// known of another one, that it is like that.
    private func belief(_ index: Int) -> Belief {
        let edition = Self.editions[index]
        if let anchors = anchors[index] { return Belief(edition, zip(begins, anchors).map { ($0, $1, $1) }) }
        let even = Belief(edition, [])
        guard !begins.isEmpty, let other = anchors.keys.min(), let there = anchors[other] else { return even }
        let from = Self.editions[other]
        let points = zip(begins, there).map { share, anchor in
            let product = (anchor - from.start) * (edition.end - edition.start)
            let whole = from.end - from.start
            return (share, edition.start + (product + whole - 1) / whole, edition.start + product / whole)
        }
        return even.and(Belief(edition, points))
    }

    private func all(_ index: Int) -> Belief {
        let now = belief(index)
        return believed[index].map { now.and($0) } ?? now
    }

    /// Something was said.
    mutating func believe(_ said: Said?) {
        switch said {
        case .amount(_, let index): believed[index] = all(index)
        case .share(_, let index?) where anchors[index] == nil: believed[index] = all(index)
        default: break
        }
    }

    func spot(_ said: Said) -> Spot {
        switch said {
        case .chapter(let chapter, let fraction):
            let (start, end) = (begins[chapter], end(chapter))
            let share = start + (end - start) * fraction / Self.whole
            return Spot(
                share: share, frame: .chapters, least: share * 1000, most: share * 1000, areChaptersKnown: true,
                floor: fraction == Self.whole ? end : start, ceiling: end)
        case .amount(let amount, let index):
            let (edition, all) = (Self.editions[index], all(index))
            let part = (min(max(amount, edition.start), edition.end) - edition.start) * 1_000_000_000
            // What is sent is by what holds now.
            let now = anchors[index] == nil ? Belief(edition, []) : belief(index)
            return spot(
                share: now.least(amount) / 1000, in: index, part: part / (edition.end - edition.start),
                all.least(amount), all.most(amount))
        case .share(let share, nil): return unsaid(share)
        case .share(let share, let index?):
            guard anchors[index] == nil else {
                var spot = spot(share: share, in: index, part: 0, share * 1000, share * 1000)
                spot.frame = .chapters
                return spot
            }
            let (edition, all) = (Self.editions[index], all(index))
            let product = (edition.end - edition.start) * share
            let amount = (edition.start + product / Self.whole, edition.start + (product + Self.whole - 1) / Self.whole)
            return spot(
                share: share, in: index, part: share * 1000, min(share * 1000, all.least(amount.1)),
                max(share * 1000, all.most(amount.0)))
        }
    }

    private func spot(share: Int, in index: Int, part: Int, _ least: Int, _ most: Int) -> Spot {
        var spot = Spot(
            share: share, frame: .edition(index), part: part, least: least, most: most,
            areChaptersKnown: anchors[index] != nil, floor: least / 1000, ceiling: nil)
        guard !begins.isEmpty else { return spot }
        if spot.floor < Self.whole { spot.floor = min(begins.last { $0 <= least / 1000 } ?? 0, share) }
        spot.ceiling = max(begins.lastIndex { $0 <= most / 1000 }.map(end) ?? begins[0], share)
        return spot
    }

    private func unsaid(_ share: Int) -> Spot {
        var ceiling: Int?
        if !begins.isEmpty {
            var place = share
            if let other = anchors.keys.min() {
                let edition = Self.editions[other]
                place = belief(other).least(edition.start + (edition.end - edition.start) * share / Self.whole) / 1000
            }
            ceiling = max(begins.lastIndex { $0 <= place }.map(end) ?? begins[0], share)
        }
        return Spot(share: share, frame: .unsaid, most: share * 1000, floor: share, ceiling: ceiling)
    }

    func opening(_ spot: Spot) -> Opening {
        if spot.most == 0 { return .everyone }
        let others = max(spot.ceiling ?? min(spot.most / 1000 + Self.slack, Self.whole), spot.share)
        switch spot.frame {
        case .unsaid: return Opening(frame: .unsaid, inFrame: spot.share, share: others)
        case .chapters: return Opening(byChapters: spot.most, share: others)
        default:
            return Opening(
                frame: spot.frame, inFrame: spot.part, byChapters: spot.areChaptersKnown ? spot.most : nil,
                share: others)
        }
    }

    /// Where a note opens that is as far as what was said at a time, and is known since.
    func opening(known spot: Spot) -> Opening {
        guard case .edition(let index) = spot.frame else { return opening(spot) }
        let edition = Self.editions[index]
        let amount = edition.start + ((edition.end - edition.start) * spot.part + 999_999_999) / 1_000_000_000
        let now = self.spot(.amount(amount, in: index))
        let opensAt = spot.ceiling ?? min(spot.share + Self.slack, Self.whole)
        if spot.part == 0 { return .everyone }
        return Opening(
            frame: spot.frame, inFrame: spot.part,
            byChapters: spot.areChaptersKnown ? max(spot.least, now.areChaptersKnown ? now.most : 0) : nil,
            share: max(opensAt, opening(now).share))
    }

    /// That of a reply.
    static func reply(_ own: Opening, to other: Opening) -> Opening {
        if other.share == 0 { return own }
        if own.share == 0 { return other }
        var reply = Opening(share: max(own.share, other.share))
        if own.frame != nil, own.frame == other.frame {
            (reply.frame, reply.inFrame) = (own.frame, max(own.inFrame, other.inFrame))
        }
        if let one = own.byChapters, let two = other.byChapters { reply.byChapters = max(one, two) }
        return reply
    }

    /// Whether who has come so far sees what opens there.
    static func isOpen(_ opening: Opening, to reached: [Frame: Int]) -> Bool {
        if let frame = opening.frame, reached[frame, default: -1] >= opening.inFrame { return true }
        if let most = opening.byChapters, reached[.chapters, default: -1] >= most { return true }
        return opening.share == 0 || max(reached[.unsaid] ?? 0, reached[.coarse] ?? 0) >= opening.share
    }
}
