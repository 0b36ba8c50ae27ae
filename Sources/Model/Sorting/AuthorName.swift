import Bytes

/// The filing order of people's names: the family name first.
///
/// Most libraries accept this rule. A name with a comma is taken to be in filing order already, which lets a client
/// correct the rule. The family name is the last word that is not in lower case. The capitalized particles right before
/// it belong to it (`Le`, `De`, `Van`…). Particles in lower case belong to the given names: Beethoven, Ludwig van; Le
/// Guin, Ursula K. `Jr.`, `II` and `PhD` are not family names and come last. Names in Han, kana and Hangul already
/// begin with the family name, as do the names of Hungarian and Vietnamese books on their title pages. Names of other
/// languages in Latin script come in either order, and nothing in the text says in which. They are treated like all
/// other names.
enum AuthorName {
    /// Returns a name in filing order, as plain text.
    static func filed(_ name: String, language: String?) -> String {
        let plain = SortText.plain(name)
        if hasFamilyFirst(plain, language) { return plain }
        let bytes = Array(plain.utf8)
        guard let comma = bytes.firstIndex(of: UInt8(ascii: ",")) else { return text(filed(words(bytes[...]))) }
        let rest = words(bytes[(comma + 1)...])
        // A suffix after the comma, as in `King, Jr.`, means that the name is in spoken order.
        guard rest.allSatisfy(isSuffix) else { return plain }
        return text(filed(words(bytes[..<comma])) + rest)
    }

    private typealias Word = ArraySlice<UInt8>

    private static func words(_ bytes: Word) -> [Word] { bytes.split { $0 <= UInt8(ascii: " ") } }

    private static func text(_ words: [Word]) -> String {
        String(decoding: Array(words.joined(separator: [UInt8(ascii: " ")])), as: UTF8.self)
    }

    private static func filed(_ words: [Word]) -> [Word] {
        // Words in parentheses only explain the name.
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

    /// Splits the last word into given names (initials or an Arabic article) and the family name proper.
    private static func divided(_ word: Word) -> (given: [Word], name: Word) {
        var start = word.startIndex
        if let point = word.lastIndex(of: UInt8(ascii: ".")), point + 2 < word.endIndex { start = point + 1 }
        if smallArticles.contains(where: word[start...].starts) { start += 3 }
        let text = String(decoding: word[start...], as: UTF8.self)
        if let end = TitleLeadingArticle.endOfArabic(in: text) {
            start += text.utf8.distance(from: text.startIndex, to: end)
        }
        return start == word.startIndex || start == word.endIndex ? ([], word) : ([word[..<start]], word[start...])
    }

    private static let smallArticles = ["al-", "el-"].map { Array($0.utf8) }

    /// Particles of family names that are written as separate words.
    private static let particles = words(
        "van von de di du da do dos das des del della la le les lo las los der den ter ten vander st san saint santa el al bin ibn"
    )
    /// Particles that can begin a name without a given name, such as Le Corbusier. The others are also given names,
    /// such as Al Pacino's.
    private static let firstParticles = words("le la les de du des von")
    private static let suffixes = words("jr sr ii iii iv phd md esq")

    private static func words(_ text: String) -> Set<Word> { Set(words(Array(text.utf8)[...])) }

    private static func isParticle(_ word: Word, isFirst: Bool) -> Bool {
        !isSmall(word) && (isFirst ? firstParticles : particles).contains(letters(word))
    }

    private static func isSuffix(_ word: Word) -> Bool { suffixes.contains(letters(word)) }

    /// Returns the ASCII letters of a word in lower case, or nothing if the word is longer than any known one.
    private static func letters(_ word: Word) -> Word {
        word.count > 6 ? [] : Array(word.filter(\.isLetter).map(\.lowercased))[...]
    }

    /// Returns whether a word begins in lower case.
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
