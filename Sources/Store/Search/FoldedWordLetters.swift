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
        let (own, others) = (scalars, other.scalars)
        guard abs(own.count - others.count) <= max else { return nil }
        // The distances of the first letters of this word to each beginning of the other one.
        var (rowBefore, row) = ([Int](), Array(0...others.count))
        for index in own.indices {
            let letter = own[index]
            var next = [index + 1]
            for place in others.indices {
                let their = others[place]
                var least = min(row[place] + (letter == their ? 0 : 1), row[place + 1] + 1, next[place] + 1)
                if index > 0, place > 0, letter == others[place - 1], own[index - 1] == their {
                    least = min(least, rowBefore[place - 1] + 1)
                }
                next.append(least)
            }
            // All further distances come from these rows, or from the one before with an error more.
            guard next.contains(where: { $0 <= max }) || row.contains(where: { $0 < max }) else { return nil }
            (rowBefore, row) = (row, next)
        }
        return row[others.count] <= max ? row[others.count] : nil
    }
}
