import Foundation
import SharedByTests

/// A reproducible generator of unlikely titles and queries. It mixes and cuts the words of real books, and adds
/// difficult Unicode.
struct RandomText {
    private var random: SeededGenerator
    private let words: [[Unicode.Scalar]]

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        let books = ModuleTests.root.appending(path: "Tests/Search/books.tsv").path()
        let text = FileManager.default.contents(atPath: books).map { String(decoding: $0, as: UTF8.self) } ?? ""
        words = text.split(separator: "\n").dropFirst().flatMap { line -> [[Unicode.Scalar]] in
            line.split(separator: "\t").dropFirst().prefix(2).flatMap { column -> [[Unicode.Scalar]] in
                column.unicodeScalars.split(separator: " ").map { Array($0) }
            }
        }
    }

    /// Texts that folding drops, reorders, composes, expands or makes separate words, and some that it does not.
    private static let hard: [String] = [
        "\u{200D}", "\u{200C}", "\u{200B}", "\u{FEFF}", "\u{AD}", "\u{2060}", "\u{200F}", "\u{202E}", "\u{FE0F}",
        "\u{E0061}",
        "\u{34F}", "\u{1F469}\u{200D}\u{1F467}", "\u{1F44D}\u{1F3FD}", "\u{1F1E9}\u{1F1EA}", "1\u{FE0F}\u{20E3}",
        "\u{1112}\u{1161}\u{11AB}", "\u{1112}\u{1161}", "\u{11AB}", "\u{3131}", "\u{FFA1}\u{FFC2}", "\u{D7B0}",
        "\u{A960}",
        "\u{FF76}\u{FF9E}", "\u{3099}", "\u{309A}", "カ", "か", "ヽ", "々", "ー", "〆", "\u{1B001}", "\u{20BB7}", "\u{F900}",
        "㍿", "㈱",
        "ﬁ", "ﬅ", "ĳ", "ŉ", "ǰ", "ǆ", "ß", "ẞ", "İ", "ı", "ſ", "\u{212A}", "\u{212B}", "\u{2126}", "ΐ", "ᾳ", "ς", "Σ",
        "ł", "ø", "æ",
        "œ", "đ", "ð", "þ", "ħ", "ə", "ŋ", "Ё", "й", "ґ", "ﷺ", "ـ", "آ", "أ", "ى", "ی", "ك", "ک", "ة", "ۀ", "ھ", "ؤ",
        "א\u{5B8}", "ﬡ",
        "क\u{93C}", "\u{958}", "\u{915}\u{94D}\u{937}", "\u{9DC}", "\u{BCA}", "\u{BC6}\u{BBE}", "\u{E33}",
        "\u{E4D}\u{E32}", "\u{EB3}",
        "\u{17D2}\u{1780}", "\u{1031}", "\u{1039}\u{1000}", "\u{F71}\u{F72}", "\u{F73}", "'", "\u{2019}", "\u{2BC}",
        "\u{2B9}",
        "\u{5F3}", "\u{5F4}", "\"", "\u{FF07}", "`", "\u{B4}", "-", "\u{2010}", "\u{2011}", "\u{2013}", "\u{2014}",
        "\u{2212}",
        "\u{5BE}", "\u{30A0}", "\u{FF0D}", "・", "·", ".", ",", ":", ";", "/", "&", "+", "#", "@", "_", "*", "(", ")",
        "\\", "%", "^",
        "٤", "४", "４", "𝟙", "²", "½", "Ⅷ", "①", "፲", "1,000", "1.000", "20,000", "3½", "0-306-40615-2", "9780306406157",
        "\u{A0}",
        "\u{3000}", "\u{2009}", "\u{1680}", "  ", "AND", "OR", "NOT", "NEAR", "title:", "J.R.R.", "R.U.R.", "l'",
        "d\u{2019}", "dell'",
        "qu'", "and", "et", "und", "ae", "oe", "ue", "aa", "𐐔𐐯", "ᏣᎳ", "ꮳ", "ᲥᲐ", "և", "\u{10FFFF}", "\u{FFFD}",
        "\u{E000}",
        "\u{378}", "\u{1D15E}", "\u{2ADC}", "\u{1F71}", "\u{344}",
    ]

    private static let marks: [ClosedRange<UInt32>] = [
        0x300...0x36F, 0x591...0x5BD, 0x610...0x61A, 0x64B...0x65F, 0x93C...0x94D, 0xE47...0xE4E, 0x1AB0...0x1ABD,
        0x1DC0...0x1DF5,
        0x20D0...0x20F0, 0x3099...0x309A, 0xFE20...0xFE2F, 0x1E8D0...0x1E8D6,
    ]

    mutating func title() -> String {
        var text: [Unicode.Scalar] = []
        for _ in 0...Int.random(in: 0...5, using: &random) {
            text += (words.randomElement(using: &random) ?? []) + (chance(8) ? [] : [" "])
        }
        for _ in 0..<Int.random(in: 0...4, using: &random) { change(&text) }
        let title = formed(String(String.UnicodeScalarView(text.prefix(300))))
        return title.unicodeScalars.allSatisfy { $0 == " " } ? "x" : title
    }

    /// Returns a part of a title, or the beginnings of some of its words, unchanged or damaged.
    mutating func query(of titles: [String]) -> String {
        let title = Array((titles.randomElement(using: &random) ?? "").unicodeScalars)
        var text: [Unicode.Scalar] = []
        if chance(2) {
            let place = Int.random(in: 0..<max(title.count, 1), using: &random)
            let start = chance(3) ? place : (title[..<place].lastIndex(of: " ") ?? -1) + 1
            text = Array(title[start..<min(title.count, start + Int.random(in: 1...12, using: &random))])
        } else {
            let words = title.split(separator: " ").shuffled(using: &random)
            for word in words.prefix(Int.random(in: 1...3, using: &random)) {
                text += word.prefix(Int.random(in: 1...6, using: &random)) + [" "]
            }
        }
        if chance(3) { change(&text) }
        let query = chance(3) ? formed(String(String.UnicodeScalarView(text))) : String(String.UnicodeScalarView(text))
        return String(String.UnicodeScalarView(query.unicodeScalars.prefix(190)))
    }

    private mutating func chance(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }

    private mutating func change(_ text: inout [Unicode.Scalar]) {
        let place = Int.random(in: 0...text.count, using: &random)
        switch Int.random(in: 0..<8, using: &random) {
        case 0...2: text.insert(contentsOf: (Self.hard.randomElement(using: &random) ?? "").unicodeScalars, at: place)
        case 3: for _ in 0..<Int.random(in: 1...3, using: &random) { text.insert(mark(), at: place) }
        case 4: for _ in 0..<40 { text.insert(mark(), at: place) }
        case 5: text.insert(anything(), at: place)
        case 6 where place < text.count: text.remove(at: place)
        default: text.removeAll { $0 == " " }
        }
    }

    private mutating func mark() -> Unicode.Scalar {
        let value = (Self.marks.randomElement(using: &random) ?? 0x300...0x301).randomElement(using: &random)
        return value.flatMap { Unicode.Scalar($0) } ?? "\u{301}"
    }

    /// Returns a random scalar that a text may contain: no control character and no line end.
    private mutating func anything() -> Unicode.Scalar {
        while true {
            let value = UInt32.random(in: 0x20...(chance(2) ? 0xFFFF : 0x1FFFF), using: &random)
            guard let scalar = Unicode.Scalar(value), !(0x7F...0x9F).contains(value), !(0x2028...0x2029).contains(value)
            else { continue }
            return scalar
        }
    }

    private mutating func formed(_ text: String) -> String {
        switch Int.random(in: 0..<9, using: &random) {
        case 0: text.decomposedStringWithCanonicalMapping
        case 1: text.precomposedStringWithCanonicalMapping
        case 2: text.decomposedStringWithCompatibilityMapping
        case 3: text.precomposedStringWithCompatibilityMapping
        case 4: text.uppercased()
        case 5: text.lowercased()
        default: text
        }
    }
}
