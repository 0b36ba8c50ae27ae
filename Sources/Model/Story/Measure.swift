/// How an edition's amounts become shares of the story: linear between its anchors, from the story's start to its end.
///
/// Shares are rounded down, so that who has not come to an anchor is not in its chapter.
package struct Measure: Sendable, Equatable {
    /// An amount, and the share that it stands for, in millionths.
    struct Point: Sendable, Equatable {
        let amount: Int64
        let share: Int64
    }

    /// Billionths, in which places are compared that are exact to each other, for one millionth in which shares are said.
    package static let fine: Int64 = 1000

    /// Of rising shares, and amounts that do not fall.
    let points: [Point]

    init(_ points: [Point]) { self.points = points }

    /// Of an edition whose chapters begin there, or whose are not known.
    init(_ edition: Edition, anchors: [Amount], chapters: [Progress]) {
        var points = [Point(amount: edition.storyStart.thousandths, share: 0)]
        for (anchor, share) in zip(anchors, chapters) {
            let point = Point(amount: anchor.thousandths, share: Int64(share.millionths))
            guard point.amount >= points[points.count - 1].amount else { continue }
            if point.amount == points[points.count - 1].amount { points.removeLast() }
            points.append(point)
        }
        points.append(Point(amount: edition.storyEnd.thousandths, share: 1_000_000))
        self.points = points
    }

    func share(at amount: Amount) -> Progress { Progress(clamping: depth(at: amount) / Self.fine) }

    /// The same in billionths.
    func depth(at amount: Amount) -> Int64 {
        let amount = amount.thousandths
        let next = first { amount < $0.amount }
        guard next < points.count else { return 1_000_000 * Self.fine }
        guard next > 0 else { return 0 }
        let (from, to) = (points[next - 1], points[next])
        let rise = (to.share - from.share) * Self.fine
        return from.share * Self.fine + (amount - from.amount).times(rise, over: to.amount - from.amount)
    }

    /// The least amount that is that share, or more; or what lies at most a thousandth before it.
    func amount(at share: Progress, roundsUp: Bool = true) -> Amount {
        let share = Int64(share.millionths)
        let next = first { share <= $0.share }
        guard next > 0 else { return Amount(thousandths: points[0].amount) }
        guard next < points.count else { return Amount(thousandths: points[points.count - 1].amount) }
        let (from, to) = (points[next - 1], points[next])
        let (span, rise) = (to.amount - from.amount, to.share - from.share)
        // Rounded up, so that the share of it is not less.
        return Amount(
            thousandths: from.amount + ((share - from.share) * span + (roundsUp ? rise - 1 : 0)) / rise)
    }

    /// Where so much of the amount of the story lies that is measured so.
    func share(atPart part: Progress) -> Progress {
        let (start, end) = (points[0].amount, points[points.count - 1].amount)
        return share(at: Amount(thousandths: start + (end - start) * Int64(part.millionths) / 1_000_000))
    }

    /// The same of another edition, as if its story were parted so.
    func stretched(over edition: Edition, roundsUp: Bool) -> Measure {
        let (first, last) = (points[0].amount, points[points.count - 1].amount)
        let (start, end) = (edition.storyStart.thousandths, edition.storyEnd.thousandths)
        return Measure(
            points.map { point in
                let part = (point.amount - first).times(end - start, over: last - first, roundsUp: roundsUp)
                return Point(amount: start + part, share: point.share)
            })
    }

    /// The place of the first point of which something is true that is true of all after it; else their count.
    private func first(_ isBeyond: (Point) -> Bool) -> Int {
        var (low, high) = (0, points.count)
        while low < high {
            let middle = (low + high) / 2
            if isBeyond(points[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

extension Int64 {
    /// A part of a number, which is no greater than that, though the product on the way may be greater than any.
    func times(_ other: Int64, over whole: Int64, roundsUp: Bool = false) -> Int64 {
        let (quotient, remainder) = whole.dividingFullWidth(multipliedFullWidth(by: other))
        return quotient + (roundsUp && remainder > 0 ? 1 : 0)
    }
}
