/// How an edition's amounts become shares of the story: linear between its anchors, from the story's start to its end.
///
/// Shares are rounded down, so that who has not come to an anchor is not in its chapter.
struct Measure: Sendable {
    /// An amount, and the share that it stands for.
    private struct Point: Sendable {
        let amount: Int64
        let share: Int64
    }

    private let points: [Point]

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

    func share(at amount: Amount) -> Progress {
        let amount = amount.thousandths
        guard let next = points.firstIndex(where: { amount < $0.amount }) else { return .whole }
        guard next > 0 else { return .none }
        let (from, to) = (points[next - 1], points[next])
        return Progress(
            clamping: from.share + (amount - from.amount) * (to.share - from.share) / (to.amount - from.amount))
    }

    /// The least amount that is that share, or more.
    func amount(at share: Progress) -> Amount {
        let share = Int64(share.millionths)
        guard let next = points.firstIndex(where: { share <= $0.share }) else { return Amount(thousandths: 0) }
        guard next > 0 else { return Amount(thousandths: points[0].amount) }
        let (from, to) = (points[next - 1], points[next])
        let (span, rise) = (to.amount - from.amount, to.share - from.share)
        // Rounded up, so that the share of it is not less.
        return Amount(thousandths: from.amount + ((share - from.share) * span + rise - 1) / rise)
    }

    /// Where so much of the amount of the story lies that is measured so.
    func share(atPart part: Progress) -> Progress {
        let (start, end) = (points[0].amount, points[points.count - 1].amount)
        return share(at: Amount(thousandths: start + (end - start) * Int64(part.millionths) / 1_000_000))
    }
}
