/// A book, its editions, and what is known of its chapters now: said without the program, in fractions.
struct HouseBook {
    struct Edition {
        let id: String
        let format: String
        /// The member of `at` by which a place is said.
        let member: String
        let length: Int
        let start: Int
        let end: Int
        var anchors: [Int] = []
    }

    /// What a reader said of a place. Shares and fractions are of a hundred, amounts in the edition's unit.
    enum Said {
        case share(Int)
        case chapter(Int, Int)
        case amount(Int, of: Int)
    }

    static let whole = 1_000_000.0
    /// Format, member, length, where the story begins and where it ends.
    static let forms = [
        ("paper", "page", 400, 10, 390), ("ebook", "progress", 100, 2, 82), ("audio", "seconds", 40_000, 100, 39_900),
        ("paper", "page", 250, 5, 245),
    ]

    let id: String
    var editions: [Edition] = []
    /// Where each chapter begins, in millionths of the story.
    var begins: [Double] = []

    func end(ofChapter chapter: Int) -> Double { chapter + 1 < begins.count ? begins[chapter + 1] : Self.whole }

    /// How much of the story lies before an amount of an edition, by these anchors.
    private func share(_ amount: Double, of edition: Edition, by anchors: [Int]) -> Double {
        var points = [(Double(edition.start), 0.0)]
        points += zip(anchors.map(Double.init), begins)
        points.append((Double(edition.end), Self.whole))
        guard let next = points.firstIndex(where: { amount < $0.0 }) else { return Self.whole }
        guard next > 0 else { return 0 }
        let (from, to) = (points[next - 1], points[next])
        return from.1 + (amount - from.0) / (to.0 - from.0) * (to.1 - from.1)
    }

    /// All that may be taken for the share of such a place now: by the edition's anchors, or, where it has none, by its amounts alone
    /// and by another one's anchors.
    func place(_ said: Said) -> HousePlace {
        switch said {
        case .share(let hundredths): return HousePlace(shares: [Double(hundredths) * 10_000])
        case .chapter(let chapter, let hundredths):
            let start = begins[chapter]
            return HousePlace(shares: [start + (end(ofChapter: chapter) - start) * Double(hundredths) / 100])
        case .amount(let amount, let index):
            let edition = editions[index]
            let plain = share(Double(amount), of: edition, by: edition.anchors)
            var shares = [plain]
            if edition.anchors.isEmpty, let other = editions.first(where: { !$0.anchors.isEmpty }) {
                let stretched = Double(other.start) + Double(other.end - other.start) * plain / Self.whole
                shares.append(share(stretched, of: other, by: other.anchors))
            }
            return HousePlace(
                edition: index, amount: max(amount, edition.start), shares: shares, isStart: amount <= edition.start,
                isEnd: amount >= edition.end)
        }
    }
}

/// A place in a book as it was meant when it was said.
struct HousePlace {
    /// Where it was said as so much of an edition: that is what it is there, whatever becomes known.
    var edition: Int?
    var amount = 0
    /// In millionths, by all that was known then.
    let shares: [Double]
    /// Before all of the story, or after it, whatever becomes known.
    var isStart: Bool
    var isEnd: Bool

    /// How far shares that are the same may lie apart.
    static let grain = 2.0

    init(edition: Int, amount: Int, shares: [Double], isStart: Bool, isEnd: Bool) {
        (self.edition, self.amount, self.shares) = (edition, amount, shares)
        (self.isStart, self.isEnd) = (isStart, isEnd)
    }

    init(shares: [Double]) {
        (self.shares, isStart, isEnd) = (shares, shares == [0], shares == [HouseBook.whole])
    }

    /// The least and the most of the story that may lie before it.
    var least: Double { shares.min() ?? 0 }
    var most: Double { shares.max() ?? 0 }

    /// Whether who is here may have come so far: within an edition by its own numbers, else by all that was known.
    func mayReach(_ other: HousePlace) -> Bool {
        // Before the story, by what was known.
        if other.most < Self.grain { return true }
        if let edition, edition == other.edition { return amount >= other.amount }
        return isEnd || least + Self.grain >= other.most
    }

    /// Whether it is so for certain: in the same numbers.
    func surelyReaches(_ other: HousePlace) -> Bool {
        if isEnd || other.isStart { return true }
        if edition == nil, other.edition == nil { return false }
        return edition == other.edition && amount >= other.amount
    }
}
