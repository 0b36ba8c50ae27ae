import Bytes

/// A name in the order in which it is filed: the family name first.
///
/// The rule is one that most libraries accept, and who knows better writes the name with a comma: it is filed as it stands.
/// The family name is the last word that is not in lower case, with what comes right before it of the words `Le`, `De`, `Van`… in
/// capitals; in lower case they belong to what comes before it: Beethoven, Ludwig van; Le Guin, Ursula K. `Jr.`, `II` and `PhD`
/// are no family names and come last. Names in Han, kana and Hangul stand with the family name first as they are; so do those of
/// Hungarian and Vietnamese books, as on their title pages. Other languages' names in Latin script come in either order, and
/// nothing tells which: they are taken for names like all others.
enum AuthorName {
    /// The words of a name as they are filed, as plain text.
    static func filed(_ name: String, language: String?) -> String {
        let plain = SortText.plain(name)
        if hasFamilyFirst(plain, language) { return plain }
        let bytes = Array(plain.utf8)
        guard let comma = bytes.firstIndex(of: UInt8(ascii: ",")) else { return text(filed(words(bytes[...]))) }
        let rest = words(bytes[(comma + 1)...])
        // Except that `King, Jr.` is a name in the order in which it is spoken.
        guard rest.allSatisfy(isSuffix) else { return plain }
        return text(filed(words(bytes[..<comma])) + rest)
    }

    private typealias Word = ArraySlice<UInt8>

    private static func words(_ bytes: Word) -> [Word] { bytes.split { $0 <= UInt8(ascii: " ") } }

    private static func text(_ words: [Word]) -> String {
        String(decoding: Array(words.joined(separator: [UInt8(ascii: " ")])), as: UTF8.self)
    }

    private static func filed(_ words: [Word]) -> [Word] {
        // What is in parentheses explains the name.
        var end = words.firstIndex { $0.first == UInt8(ascii: "(") || $0.first == UInt8(ascii: "[") } ?? words.count
        while end > 1, isSuffix(words[end - 1]) { end -= 1 }
        guard end > 0 else { return words }
        let last = words[..<end].lastIndex { !isSmall($0) }
        let family = last.flatMap { $0 > 0 ? $0 : nil } ?? end - 1
        var start = family
        while start > 0, isParticle(words[start - 1], isFirst: start == 1) { start -= 1 }
        let (given, name) = divided(words[family])
        return words[start..<family] + [name] + words[..<start] + given + words[(family + 1)...]
    }

    /// A word without what belongs to the given names: initials that stand right before it, and the Arabic article.
    private static func divided(_ word: Word) -> (given: [Word], name: Word) {
        var start = word.startIndex
        if let point = word.lastIndex(of: UInt8(ascii: ".")), point + 2 < word.endIndex { start = point + 1 }
        if smallArticles.contains(where: word[start...].starts) { start += 3 }
        let text = String(decoding: word[start...], as: UTF8.self)
        if let end = LeadingArticle.endOfArabic(in: text) {
            start += text.utf8.distance(from: text.startIndex, to: end)
        }
        return start == word.startIndex || start == word.endIndex ? ([], word) : ([word[..<start]], word[start...])
    }

    private static let smallArticles = ["al-", "el-"].map { Array($0.utf8) }

    /// Words of family names that are written apart.
    private static let particles = words(
        "van von de di du da do dos das des del della la le les lo las los der den ter ten vander st san saint santa el al bin ibn"
    )
    /// Those with which a name without a given one begins, such as Le Corbusier: others are given names, too, such as Al Pacino's.
    private static let firstParticles = words("le la les de du des von")
    private static let suffixes = words("jr sr ii iii iv phd md esq")

    private static func words(_ text: String) -> Set<Word> { Set(words(Array(text.utf8)[...])) }

    private static func isParticle(_ word: Word, isFirst: Bool) -> Bool {
        !isSmall(word) && (isFirst ? firstParticles : particles).contains(letters(word))
    }

    private static func isSuffix(_ word: Word) -> Bool { suffixes.contains(letters(word)) }

    /// The letters of ASCII in a word; none where it is too long for one that is known.
    private static func letters(_ word: Word) -> Word {
        word.count > 6 ? [] : Array(word.filter(\.isLetter).map(\.lowercased))[...]
    }

    /// Whether a word begins in lower case.
    private static func isSmall(_ word: Word) -> Bool {
        if let first = word.first, first < 0x80 { return first.isLetter && first.lowercased == first }
        return String(decoding: word, as: UTF8.self).unicodeScalars.first?.properties.isLowercase ?? false
    }

    private static func hasFamilyFirst(_ plain: String, _ language: String?) -> Bool {
        if let language = language?.utf8.prefix(while: { $0 != UInt8(ascii: "-") }).map({ $0 | 0x20 }),
            language == Array("hu".utf8) || language == Array("vi".utf8)
        {
            return true
        }
        return plain.unicodeScalars.contains {
            switch $0.value {
            case 0x1100...0x11FF, 0x3005...0x3007, 0x3040...0x30FF, 0x3400...0x9FFF, 0x20000...0x3FFFF: true
            default: false
            }
        }
    }
}
