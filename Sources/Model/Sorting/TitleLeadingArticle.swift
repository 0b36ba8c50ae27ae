import Bytes

/// The leading articles of titles, which sorting ignores.
///
/// They are those of the MARC 21 format's list of initial articles (Bibliographic, appendix F), and the French plural.
/// As there, a word that has the form of an article counts as one, even where it is a numeral or a letter. The Arabic
/// article is dropped in its own script, too, where two letters remain. ALA-LC's Arabic table joins it to its word with
/// a hyphen and does not file by it. The Hebrew article is dropped only where a hyphen divides it in Latin script. In
/// Hebrew script nothing distinguishes הבית ("the house") from a word that begins with that letter.
enum TitleLeadingArticle {
    /// The articles by language. The next word follows directly after an apostrophe or a hyphen.
    private static let texts: [String: String] = [
        "af": "die 'n", "an": "o a os as lo la los las un una", "ast": "el la los les l' un una",
        "ar": "al- el- ad- an- ar- as- ash- at- az-", "br": "ar an al ur un ul eur eun eul",
        "ca": "el els en l' la les n' na un una",
        "cy": "y yr", "da": "de den det en et", "de": "das dem den der des die ein eine einem einen einer eines",
        "el": "ο η το οι τα ένας μία μια ένα", "en": "a an the", "eo": "la l'", "es": "el la lo los las un una",
        "eu": "bat", "fr": "le la les l' un une des", "fy": "de it 't in 'n", "ga": "an na", "gd": "a' am an na",
        "gl": "o a os as un unha", "haw": "ka ke he", "he": "ha- he- ho-", "hu": "a az egy",
        "it": "il lo la i gli gl' le l' un uno una un'", "mi": "te he nga", "mt": "il- l- id- in- ir- is- it- ix- iz-",
        "nb": "de den det en ei et", "nl": "de het 't een 'n eene", "nn": "dei den det ein ei eit",
        "no": "de dei den det ein en ei eit et", "oc": "lo la los las les l' un una",
        "pt": "o a os as um uma", "ro": "un o", "sv": "de den det en ett", "yi": "דער די דאס דעם א אן",
    ]
    /// The maximum number of scalars: the longest article has five letters, each perhaps with a mark.
    private static let scalarCountMax = 10

    private static let forms = texts.mapValues { Set($0.split(separator: " ").map { form(String($0)) }) }
    /// The articles that count whatever the language of a book. Some languages' articles are words of others, so those
    /// are not here.
    private static let common = [
        "en", "de", "fr", "es", "pt", "it", "ca", "ro", "nl", "da", "sv", "no", "hu", "el", "ar", "he",
    ]
    .reduce(into: Set<[UInt8]>()) { $0.formUnion(forms[$1] ?? []) }

    private static func form(_ text: String) -> [UInt8] {
        let mark = text.utf8.last.flatMap { isJoint($0) ? [$0] : nil } ?? []
        return (text.utf8.first == apostrophe ? [apostrophe] : []) + SortText.folded(text) + mark
    }

    /// Returns the end of the leading article in a plain text, or `nil` if the language has no such article.
    static func end(in text: String, language: String) -> String.Index? {
        let tag = language.utf8.prefix { $0 != hyphen }
        let name = String(decoding: tag.map { $0 | 0x20 }, as: UTF8.self)
        guard let forms = forms[name] else { return nil }
        return end(in: text, of: forms) ?? (name == "ar" ? endOfArabic(in: text) : nil)
    }

    /// Returns the end of the leading article in a text of unknown language, or `nil` without one.
    static func end(in text: String) -> String.Index? { end(in: text, of: common) ?? endOfArabic(in: text) }

    /// Returns whether a folded word is an article of a common language.
    static func isOne(_ word: ArraySlice<UInt8>) -> Bool { common.contains(Array(word)) }

    private static func end(in text: String, of forms: Set<[UInt8]>) -> String.Index? {
        let scalars = text.unicodeScalars
        var start = scalars.startIndex
        var before: Unicode.Scalar?
        while start < scalars.endIndex, !isOfWord(scalars[start]) {
            before = scalars[start]
            start = scalars.index(after: start)
        }
        var end = start
        var count = 0
        while end < scalars.endIndex, isOfWord(scalars[end]) {
            count += 1
            guard count <= scalarCountMax else { return nil }
            end = scalars.index(after: end)
        }
        guard count > 0, end < scalars.endIndex else { return nil }
        let folded = SortText.folded(String(scalars[start..<end]))
        switch scalars[end] {
        case " ":
            let isArticle = forms.contains(folded) || before == "'" && forms.contains([apostrophe] + folded)
            return isArticle ? end : nil
        case "'": return forms.contains(folded + [apostrophe]) ? scalars.index(after: end) : nil
        case "-": return forms.contains(folded + [hyphen]) ? scalars.index(after: end) : nil
        default: return nil
        }
    }

    /// Returns the end of the article at the beginning of a word in Arabic script, or `nil` without one.
    static func endOfArabic(in text: String) -> String.Index? {
        let scalars = text.unicodeScalars
        guard let start = scalars.firstIndex(where: isOfWord), "\u{627}\u{671}".unicodeScalars.contains(scalars[start])
        else { return nil }
        let lam = afterVowelSigns(scalars, scalars.index(after: start))
        guard lam < scalars.endIndex, scalars[lam] == "\u{644}" else { return nil }
        let end = afterVowelSigns(scalars, scalars.index(after: lam))
        let rest = scalars[end...].prefix(while: isOfWord).filter { $0.properties.isAlphabetic && !isMark($0) }
        // The name of God is filed with its article.
        guard rest.count >= 2, !rest.elementsEqual("\u{644}\u{647}".unicodeScalars) else { return nil }
        return end
    }

    /// Skips vowel signs. Hamza is not among them: it makes another letter.
    private static func afterVowelSigns(_ scalars: String.UnicodeScalarView, _ start: String.Index) -> String.Index {
        scalars[start...].firstIndex { !(0x064B...0x0652).contains($0.value) } ?? scalars.endIndex
    }

    private static func isOfWord(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return UInt8(scalar.value).isLetter || UInt8(scalar.value).isDigit }
        return scalar.properties.isAlphabetic || scalar.properties.numericType != nil || isMark(scalar)
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: true
        default: false
        }
    }

    private static func isJoint(_ byte: UInt8) -> Bool { byte == apostrophe || byte == hyphen }
    private static let apostrophe = UInt8(ascii: "'")
    private static let hyphen = UInt8(ascii: "-")
}
