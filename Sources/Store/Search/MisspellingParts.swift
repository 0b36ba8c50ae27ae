/// The parts by which a mistyped word is found (PassJoin: Li, Deng, Wang and Feng, 2011).
///
/// A word in which two errors are allowed is cut into three parts. One of them is unchanged, at about its original
/// position. So a word is stored under each of its parts, and is found by the parts that a mistyped word may share with
/// it. This takes some tens of lookups, however many words there are.
enum MisspellingParts {
    /// The key of a part: a hash of the word's length, the part's index and its letters. It is stored, so another hash
    /// function needs a new table. A collision only causes unnecessary comparisons.
    typealias Key = Int64

    /// Returns the keys of all parts of a word.
    static func keys(of word: FoldedWordLetters) -> [Key] {
        let count = word.scalars.count
        return (0...FoldedWordLetters.distanceMax(of: count)).map {
            key(of: word.scalars[range($0, of: count)], $0, of: count)
        }
    }

    /// Returns the keys of the parts that similar words of `length` letters may share with this word.
    static func keys(of word: FoldedWordLetters, amongWordsOf length: Int) -> [Key] {
        let letters = word.scalars
        let last = FoldedWordLetters.distanceMax(of: length)
        let (max, longer) = (distanceMax(letters.count, length), letters.count - length)
        guard abs(longer) <= max else { return [] }
        var keys: [Key] = []
        for index in 0...last {
            let range = range(index, of: length)
            // An unchanged part has at most as many errors before it as there are parts before it, and likewise after
            // it. Each error moves it by at most one letter.
            for shift in -index...index where abs(longer - shift) <= last - index {
                let (start, end) = (range.lowerBound + shift, range.upperBound + shift)
                guard abs(shift) + abs(longer - shift) <= max, start >= 0, end <= letters.count else { continue }
                keys.append(key(of: letters[start..<end], index, of: length))
            }
        }
        return abs(longer) < max ? keys + swappedKeys(letters, length, last) : keys
    }

    /// Returns the keys of the first and the last part with two letters swapped back. Letters that were swapped across
    /// a part boundary change both parts.
    private static func swappedKeys(_ letters: [UInt32], _ length: Int, _ last: Int) -> [Key] {
        var keys: [Key] = []
        let first = range(0, of: length)
        if first.upperBound < letters.count {
            keys.append(key(of: letters[first].dropLast() + [letters[first.upperBound]], 0, of: length))
        }
        let start = letters.count - range(last, of: length).count
        if last > 1, start > 0 {
            keys.append(key(of: [letters[start - 1]] + letters[(start + 1)...], last, of: length))
        }
        return keys
    }

    /// Returns the maximum number of differences between similar words of these lengths.
    static func distanceMax(_ count: Int, _ length: Int) -> Int {
        min(FoldedWordLetters.distanceMax(of: count), FoldedWordLetters.distanceMax(of: length))
    }

    private static func range(_ index: Int, of length: Int) -> Range<Int> {
        let count = FoldedWordLetters.distanceMax(of: length) + 1
        return index * length / count..<(index + 1) * length / count
    }

    /// Returns the FNV-1a hash, of which 32 bits are kept because SQLite stores them in four bytes.
    private static func key(of letters: some Sequence<UInt32>, _ index: Int, of length: Int) -> Key {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        func take(_ value: UInt64) { hash = (hash ^ value) &* 0x0000_0100_0000_01B3 }
        take(UInt64(length))
        take(UInt64(index))
        for letter in letters { take(UInt64(letter)) }
        return Key(Int32(truncatingIfNeeded: hash ^ hash >> 32))
    }
}
