import Bytes

/// The other spellings of words. Spellings that join words or use other letters are additional words, both in the index
/// and in a query, so either finds the other.
enum AlternativeSpellings {
    /// Returns the other spellings in some texts.
    ///
    /// - joined initials (J. R. R.: `jrr`)
    /// - words without hyphens (`spiderman`)
    /// - numbers without separators (20,000: `20000`)
    /// - the part after an elision (l'étranger: `etranger`)
    /// - other letters
    static func others(in texts: [FoldedWords]) -> [[UInt8]] {
        var others: [[UInt8]] = []
        for text in texts {
            for run in runs(in: text) { add(text.words[run].flatMap { text[$0] }, to: &others) }
            for word in text.words where !word.isUnspaced {
                if let tail = tail(of: word, in: text) { add(tail, to: &others) }
                for other in letters(of: text[word]) { add(other, to: &others) }
            }
        }
        return others
    }

    private static func add(_ word: [UInt8], to others: inout [[UInt8]]) {
        if !others.contains(word) { others.append(word) }
    }

    /// Returns the part after the apostrophe, as in l'étranger, O'Brien and dell'amore. Returns `nil` for an ending, as
    /// in Ender's and isn't: those have one letter, or an English verb, after it.
    static func tail(of word: FoldedWord, in text: FoldedWords) -> [UInt8]? {
        guard word.elided > 0 else { return nil }
        let tail = text[word].dropFirst(word.elided)
        let isEnding = tail.count(where: { $0 & 0xC0 != 0x80 }) < 2 || endings.contains(where: tail.elementsEqual)
        return isEnding ? nil : Array(tail)
    }

    private static let endings = ["ll", "re", "ve"].map { Array($0.utf8) }

    /// Returns the ranges of words that are typed as one.
    static func runs(in text: FoldedWords) -> [Range<Int>] {
        let words = text.words
        guard words.count > 1 else { return [] }
        var runs: [Range<Int>] = []
        var start = 0
        while start < words.count {
            let joins = joining(at: start, in: text)
            guard let joins else {
                start += 1
                continue
            }
            var end = start + 1
            while end < words.count, end - start < joinedMax, joins(end) { end += 1 }
            if end - start > 1 { runs.append(start..<end) }
            start = max(end, start + 1)
        }
        return runs
    }

    /// The maximum number of words that are joined.
    private static let joinedMax = 8

    /// Returns the condition for further words of a joined run that begins here, or `nil` if none begins here.
    private static func joining(at start: Int, in text: FoldedWords) -> ((Int) -> Bool)? {
        let words = text.words
        guard start + 1 < words.count, !words[start].isUnspaced, !words[start + 1].isUnspaced else { return nil }
        if isInitial(words[start], text), isInitial(words[start + 1], text) {
            return { isInitial(words[$0], text) && [.space, .stop, .hyphen].contains(words[$0].link) }
        }
        if isDigits(words[start], text, 1...3), isDigits(words[start + 1], text, 3...3) {
            return { isDigits(words[$0], text, 3...3) && [.space, .stop, .comma].contains(words[$0].link) }
        }
        return { !words[$0].isUnspaced && [.hyphen, .stop].contains(words[$0].link) }
    }

    private static func isInitial(_ word: FoldedWord, _ text: FoldedWords) -> Bool {
        guard !word.isUnspaced, let first = text[word].first, !first.isDigit, first != UInt8(ascii: "&") else {
            return false
        }
        return text[word].count(where: { $0 & 0xC0 != 0x80 }) == 1
    }

    private static func isDigits(_ word: FoldedWord, _ text: FoldedWords, _ counts: ClosedRange<Int>) -> Bool {
        counts.contains(text[word].count) && text[word].allSatisfy(\.isDigit)
    }

    /// Returns a word in other letters: `mueller` and `muller`, `encyclopaedia` and `encyclopedia`, `kierkegaard` and
    /// `kierkegard`. An Arabic word is also given without its article.
    static func letters(of word: ArraySlice<UInt8>) -> [[UInt8]] {
        if word.starts(with: arabicArticle), word.count >= arabicArticle.count + 4 {
            return [Array(word.dropFirst(arabicArticle.count))]
        }
        // Most words have no pair, so this check makes them cheap.
        guard word.count > 2, hasPair(word) else { return [] }
        var plain: [UInt8] = []
        var light: [UInt8] = []
        var isLight = false
        var index = word.startIndex
        while index < word.endIndex {
            let byte = word[index]
            let next = index + 1 < word.endIndex ? word[index + 1] : 0
            let isPair = isPair(byte, next)
            let hasE = isPair && byte != UInt8(ascii: "u") && next == UInt8(ascii: "e")
            plain.append(byte)
            light.append(hasE ? next : byte)
            isLight = isLight || hasE
            index += isPair ? 2 : 1
        }
        return [plain] + (isLight ? [light] : [])
    }

    private static func hasPair(_ word: ArraySlice<UInt8>) -> Bool {
        var index = word.startIndex + 1
        while index < word.endIndex {
            if isPair(word[index - 1], word[index]) { return true }
            index += 1
        }
        return false
    }

    /// Returns whether two letters may also be written as one.
    private static func isPair(_ first: UInt8, _ second: UInt8) -> Bool {
        switch first {
        case UInt8(ascii: "a"): second == UInt8(ascii: "e") || second == first
        case UInt8(ascii: "o"), UInt8(ascii: "u"): second == UInt8(ascii: "e")
        default: false
        }
    }

    private static let arabicArticle = Array("\u{0627}\u{0644}".utf8)
}
