/// A folded word, letter by letter, as what may be mistyped in it is counted. A letter is a Unicode scalar.
struct Letters {
    /// Words with more letters are neither kept nor looked for.
    static let countMax = 32

    private(set) var scalars: [UInt32] = []

    /// No word yet.
    init() { scalars.reserveCapacity(Self.countMax) }

    /// The spelling of a word; nil of what nobody mistypes, or nobody can tell: a single letter, as all words of scripts
    /// without spaces are, what has a digit in it, and what is too long.
    init?(_ word: some Collection<UInt8>) {
        self.init()
        take(word)
        guard (2...Self.countMax).contains(scalars.count), !scalars.contains(where: Self.isDigit) else { return nil }
    }

    /// Becomes that of another word.
    mutating func take(_ word: some Collection<UInt8>) {
        scalars.removeAll(keepingCapacity: true)
        for byte in word {
            guard byte < 0x80 else { return takeScalars(word) }
            scalars.append(UInt32(byte))
        }
    }

    private mutating func takeScalars(_ word: some Collection<UInt8>) {
        scalars.removeAll(keepingCapacity: true)
        for scalar in String(decoding: word, as: UTF8.self).unicodeScalars { scalars.append(scalar.value) }
    }

    private static func isDigit(_ letter: UInt32) -> Bool { (0x30...0x39).contains(letter) }

    /// In how many places a word of so many letters may be mistyped and still be known.
    static func distanceMax(of count: Int) -> Int { count < 3 ? 0 : count < 6 ? 1 : 2 }

    /// How many letters must be added, left out, replaced or swapped with the next one to come from one word to the other, each
    /// place touched once (optimal string alignment); nil when they are more than `max`.
    func distance(to other: Letters, max: Int) -> Int? { Self.distance(scalars.span, other.scalars.span, max) }

    /// What both begin and end with costs nothing, and at most two places are looked for. So what is left is tried in all ways
    /// sooner than in a table.
    private static func distance(_ left: Span<UInt32>, _ right: Span<UInt32>, _ max: Int) -> Int? {
        guard abs(left.count - right.count) <= max else { return nil }
        var start = 0
        while start < left.count, start < right.count, left[start] == right[start] { start += 1 }
        var (leftEnd, rightEnd) = (left.count, right.count)
        while leftEnd > start, rightEnd > start, left[leftEnd - 1] == right[rightEnd - 1] {
            leftEnd -= 1
            rightEnd -= 1
        }
        let (leftCount, rightCount) = (leftEnd - start, rightEnd - start)
        guard leftCount > 0, rightCount > 0 else { return leftCount + rightCount }
        guard max > 0 else { return nil }
        let rest = left.extracting(start..<leftEnd)
        let otherRest = right.extracting(start..<rightEnd)
        var least: Int?
        func take(_ distance: Int?) {
            if let distance { least = min(least ?? distance + 1, distance + 1) }
        }
        take(distance(rest.extracting(droppingFirst: 1), otherRest.extracting(droppingFirst: 1), max - 1))
        take(distance(rest.extracting(droppingFirst: 1), otherRest, max - 1))
        take(distance(rest, otherRest.extracting(droppingFirst: 1), max - 1))
        if leftCount > 1, rightCount > 1, rest[0] == otherRest[1], rest[1] == otherRest[0] {
            take(distance(rest.extracting(droppingFirst: 2), otherRest.extracting(droppingFirst: 2), max - 1))
        }
        return least
    }
}
