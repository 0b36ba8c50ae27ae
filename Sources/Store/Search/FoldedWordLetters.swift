import Bytes

/// The letters of a folded word, for comparison with mistyped words. A letter is a Unicode scalar.
struct FoldedWordLetters {
    /// The maximum number of letters of words that are stored and corrected.
    static let countMax = 32

    let scalars: [UInt32]
}

extension FoldedWordLetters {
    /// Creates the letters of a word. Returns `nil` for words that cannot be corrected: a single letter, as are all
    /// words of scripts without spaces, a word with a digit, and a word that is too long.
    init?(_ word: some Collection<UInt8>) {
        scalars = String(decoding: word, as: UTF8.self).unicodeScalars.map(\.value)
        guard (2...Self.countMax).contains(scalars.count), !word.contains(where: \.isDigit) else { return nil }
    }

    /// Returns the maximum number of errors in a word of `count` letters that is still recognized.
    static func distanceMax(of count: Int) -> Int { count < 3 ? 0 : count < 6 ? 1 : 2 }

    /// Returns the number of letters to insert, delete, replace or swap with the next one to change one word into the
    /// other, touching each place once (optimal string alignment). Returns `nil` if it is more than `max`.
    func distance(to other: FoldedWordLetters, max: Int) -> Int? {
        Self.distance(scalars.span, other.scalars.span, max)
    }

    /// Returns the distance after removing the common beginning and end. With at most two errors, trying all ways is
    /// faster than a table.
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
