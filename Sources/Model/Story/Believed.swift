public import JSON

/// All that was held true, when something was said in an edition, of how its amounts become shares of the story: of each share
/// between which amounts it lies.
///
/// By it nothing opens early to somebody who went by another of these measures: what is read counts for the least share that any of
/// them gives it, and what is spoken of for the greatest. Within the edition amounts are compared, whatever the measures are.
public struct Believed: StoredAsJSON, Equatable {
    /// The greatest amount at which that share is reached, and the smallest, in thousandths.
    private struct Knot: Sendable, Equatable {
        let share: Int64
        let latest: Int64
        let earliest: Int64
    }

    private let knots: [Knot]

    private init(_ knots: [Knot]) { self.knots = knots }

    /// One measure, whose amounts are known to a thousandth. What lies before the first chapter is no more of the story.
    private init(latest: Measure, earliest: Measure) {
        var knots: [Knot] = []
        for (late, early) in zip(latest.points, earliest.points) {
            if knots.last?.share == late.share { knots.removeLast() }
            knots.append(Knot(share: late.share, latest: late.amount, earliest: early.amount))
        }
        self.knots = knots
    }

    init(_ measure: Measure) { self.init(latest: measure, earliest: measure) }

    /// That an edition is parted as another one is.
    init(_ measure: Measure, stretchedOver edition: Edition) {
        self.init(
            latest: measure.stretched(over: edition, roundsUp: true),
            earliest: measure.stretched(over: edition, roundsUp: false))
    }

    /// By what is read.
    var latest: Measure { Measure(knots.map { .init(amount: $0.latest, share: $0.share) }) }
    /// By what is spoken of.
    var earliest: Measure { Measure(knots.map { .init(amount: $0.earliest, share: $0.share) }) }

    /// This and that. Between two knots the outermost of straight lines bends to the safe side of the one that joins them.
    public func and(_ other: Believed) -> Believed {
        guard other != self else { return self }
        let sides = [(latest, earliest), (other.latest, other.earliest)]
        return Believed(
            Set((knots + other.knots).map(\.share)).sorted().map { share in
                let at = Progress(clamping: share)
                return Knot(
                    share: share, latest: sides.map { $0.0.amount(at: at).thousandths }.max() ?? 0,
                    earliest: sides.map { $0.1.amount(at: at, roundsUp: false).thousandths }.min() ?? 0)
            })
    }

    public init?(json: JSONValue) {
        guard json.kind == .array else { return nil }
        var knots: [Knot] = []
        for element in json.elements {
            let numbers = element.elements.map { $0.integer ?? -1 }
            guard numbers.count == 3, numbers.allSatisfy({ (0...Amount.whole.upperBound * 1000).contains($0) }) else {
                return nil
            }
            knots.append(Knot(share: numbers[0], latest: numbers[1], earliest: numbers[2]))
        }
        let areRising = zip(knots, knots.dropFirst()).allSatisfy {
            $0.share < $1.share && $0.latest <= $1.latest && $0.earliest <= $1.earliest
        }
        guard knots.count > 1, areRising, knots[knots.count - 1].share == 1_000_000,
            knots.allSatisfy({ $0.earliest <= $0.latest })
        else { return nil }
        self.knots = knots
    }

    public func write(to json: inout JSONWriter) {
        json.beginArray()
        for knot in knots {
            json.beginArray()
            for number in [knot.share, knot.latest, knot.earliest] { json.integer(number) }
            json.endArray()
        }
        json.endArray()
    }
}
