import Foundation
import Model
import SharedByTests
import Testing

@Suite("Sort keys")
struct SortKeyPropertyTests {
    private static let languages: [String?] = [nil, "en", "fr", "ar", "nl", "hu", "he-x", "-", "", "zz"]

    private static func text(_ random: inout some RandomNumberGenerator, _ count: ClosedRange<Int>) -> String {
        let ranges: [ClosedRange<UInt32>] = [
            0...0x7F, 0x20...0x7E, 0x30...0x39, 0xA0...0x24F, 0x300...0x36F, 0x370...0x6FF, 0x900...0x10FF,
            0x1100...0x1112,
            0x1E00...0x27FF, 0x3040...0x33FF, 0xA780...0xA7FF, 0xAC00...0xD7A3, 0xE000...0xFFFF, 0x10000...0x10FFFF,
        ]
        // No old Hangul letters: Foundation composes them differently.
        let words = [" ", "The ", "L'", "’", "20,000", "007 ", ".", ",", "ال", "van ", "Jr.", "ł", "é", "Łe\u{301}"]
        var text = ""
        for _ in 0..<Int.random(in: count, using: &random) {
            if Bool.random(using: &random), let word = words.randomElement(using: &random) { text += word }
            let value = UInt32.random(in: ranges.randomElement(using: &random) ?? 0...0x7F, using: &random)
            if let scalar = Unicode.Scalar(value) { text.unicodeScalars.append(scalar) }
        }
        return text
    }

    @Test(
        "Sort keys are texts of a bounded length without control characters but the separators",
        arguments: TestBudget.seeds(1, long: 3))
    func bounded(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for index in 0..<400 {
            let title = Self.text(&random, index % 50 == 0 ? 400...600 : 0...12)
            let author = Self.text(&random, index % 50 == 0 ? 200...1200 : 0...9)
            for language in Self.languages {
                let keys = [
                    BookSortKey(title: title, language: language),
                    BookSortKey(authors: [author], title: title, language: language),
                ]
                for (key, separators) in zip(keys, [0, 1]) {
                    #expect(key.bytes.count <= 2000 && String(validating: key.bytes, as: UTF8.self) != nil)
                    #expect(!key.bytes.contains { $0 < 0x20 && $0 != 1 } && key.bytes.count { $0 == 1 } <= separators)
                    #expect(Array(key.text.utf8) == key.bytes)
                }
            }
            for range in TitleRange.titles(beginningWith: title) { #expect(range.first < range.end) }
        }
        let long = BookSortKey(title: String(repeating: "\u{10348}", count: 600), language: nil)
        #expect(
            long.bytes.count == 2000
                && BookSortKey(title: String(repeating: "9", count: 2500), language: nil).bytes.count == 2000)
        #expect(BookSortKey(title: "x" + String(repeating: "漢", count: 900), language: nil).bytes.count <= 2000)
    }

    @Test("Texts that Unicode calls equal have the same sort key", arguments: TestBudget.seeds(1, long: 3))
    func forms(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<400 {
            let (title, author) = (Self.text(&random, 0...12), Self.text(&random, 0...9))
            var isSame = true
            for language in Self.languages {
                let key = BookSortKey(authors: [author], title: title, language: language)
                for form in [\String.decomposedStringWithCanonicalMapping, \.precomposedStringWithCanonicalMapping] {
                    let same = BookSortKey(
                        authors: [author[keyPath: form]], title: title[keyPath: form], language: language)
                    isSame = isSame && same == key
                }
            }
            #expect(isSame, "\([title, author].map { $0.unicodeScalars.map { String($0.value, radix: 16) } })")
        }
    }

    @Test("The order of combining marks does not change a sort key")
    func marks() {
        for title in ["a\u{385}\u{334}", "e\u{301}\u{F75}"] {
            let forms = [
                title, title.decomposedStringWithCanonicalMapping, title.precomposedStringWithCanonicalMapping,
                title.decomposedStringWithCompatibilityMapping,
            ]
            #expect(Set(forms.map { BookSortKey(title: $0, language: nil) }).count == 1, "\(title)")
        }
    }

    @Test(
        "A title is found in the range of its beginning, and by all its words first",
        arguments: TestBudget.seeds(1, long: 2))
    func found(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<400 {
            let words = (0..<Int.random(in: 1...5, using: &random)).map { _ in
                ["the", "Emma", "é", "łan", "漢字", "42", "straße", "al-x", "L'eau", "٤"].randomElement(using: &random)
                    ?? ""
            }
            let title = words.joined(separator: " ")
            let asked = words[..<Int.random(in: 1...words.count, using: &random)].joined(separator: " ")
            for language in [nil, "en", "fr", "ar"] {
                let key = BookSortKey(title: title, language: language).bytes
                let isFound = TitleRange.titles(beginningWith: asked).contains {
                    !key.lexicographicallyPrecedes(Array($0.first.utf8))
                        && key.lexicographicallyPrecedes(Array($0.end.utf8))
                }
                // An article alone is not a prefix of a title that is sorted without it.
                let isArticle =
                    BookSortKey(title: asked + " x", language: language) == BookSortKey(title: "x", language: nil)
                #expect(isFound || isArticle, "\(asked) in \(title)")
            }
        }
    }

    @Test("A greater number comes later", arguments: [9])
    func numbers(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<2000 {
            let (left, right) = (
                UInt64.random(in: 0...UInt64.max >> UInt64.random(in: 0..<64, using: &random), using: &random),
                UInt64.random(in: 0...UInt64.max >> UInt64.random(in: 0..<64, using: &random), using: &random)
            )
            guard left < right else { continue }
            let keys = [left, right].map { BookSortKey(title: "a\($0)b", language: nil).bytes }
            #expect(keys[0].lexicographicallyPrecedes(keys[1]))
        }
    }
}
