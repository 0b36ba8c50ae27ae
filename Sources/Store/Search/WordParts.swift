/// The parts by which a word is found when it is mistyped (PassJoin: Li, Deng, Wang and Feng, 2011).
///
/// A word that may be mistyped in two places is cut into three parts: one of them is left as it was, and stands about where it
/// stood. So a word is kept under each of its parts, and is found by the parts that a mistyped one can have of it, at some tens
/// of places, however many words there are.
enum WordParts {
    /// What stands for a part: a hash of the word's length, which part it is, and its letters. It is stored: another hash needs
    /// the table made anew. Where two parts have the same, words are looked at that are not near, and that is all.
    typealias Key = Int64

    /// The keys of all parts of a word.
    static func keys(of word: Letters) -> [Key] {
        let count = word.scalars.count
        return (0...Letters.distanceMax(of: count)).map { key(of: word.scalars[range($0, of: count)], $0, of: count) }
    }

    /// The keys of what words of `length` letters could have in common with this one, which is near to them.
    static func keys(of word: Letters, amongWordsOf length: Int) -> [Key] {
        let letters = word.scalars
        let last = Letters.distanceMax(of: length)
        let (max, longer) = (distanceMax(letters.count, length), letters.count - length)
        guard abs(longer) <= max else { return [] }
        var keys: [Key] = []
        for index in 0...last {
            let range = range(index, of: length)
            // A part that is left has at most as many mistyped places before it as there are parts, and so behind it. Each
            // moves it by one letter at most.
            for shift in -index...index where abs(longer - shift) <= last - index {
                let (start, end) = (range.lowerBound + shift, range.upperBound + shift)
                guard abs(shift) + abs(longer - shift) <= max, start >= 0, end <= letters.count else { continue }
                keys.append(key(of: letters[start..<end], index, of: length))
            }
        }
        return abs(longer) < max ? keys + swappedKeys(letters, length, last) : keys
    }

    /// Two letters that were swapped where two parts meet leave neither as it was: so the first part and the last are also looked
    /// for with the letters swapped back.
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

    /// At how many places two words of these lengths may differ and still be near.
    static func distanceMax(_ count: Int, _ length: Int) -> Int {
        min(Letters.distanceMax(of: count), Letters.distanceMax(of: length))
    }

    private static func range(_ index: Int, of length: Int) -> Range<Int> {
        let count = Letters.distanceMax(of: length) + 1
        return index * length / count..<(index + 1) * length / count
    }

    /// FNV-1a, of which SQLite keeps four bytes.
    private static func key(of letters: some Sequence<UInt32>, _ index: Int, of length: Int) -> Key {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        func take(_ value: UInt64) { hash = (hash ^ value) &* 0x0000_0100_0000_01B3 }
        take(UInt64(length))
        take(UInt64(index))
        for letter in letters { take(UInt64(letter)) }
        return Key(Int32(truncatingIfNeeded: hash ^ hash >> 32))
    }
}
