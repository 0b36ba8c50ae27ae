import Foundation

/// How text is compared in a search: by words, without case, width and diacritics.
///
/// The index stores folded words and the query is folded too, so the database and a watched search agree by
/// construction on what matches.
public enum SearchText {
    /// The folded words of a text, in order.
    public static func words(of text: String) -> [String] {
        let isPlain = text.utf8.allSatisfy { $0 < 0x80 }
        let folded =
            isPlain
            ? text.lowercased()
            : text.folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
        var words: [String] = []
        var word = ""
        for character in folded.unicodeScalars {
            if isWordCharacter(character) {
                word.unicodeScalars.append(character)
            } else if character.value != 0x27, character.value != 0x2019, !word.isEmpty {
                // An apostrophe joins: O'Brien is one word, also when it is typed without.
                words.append(word)
                word = ""
            }
        }
        if !word.isEmpty { words.append(word) }
        return words
    }

    /// The folded words, joined by single spaces: what the index stores, and what titles are sorted by.
    public static func folded(_ text: String) -> String { words(of: text).joined(separator: " ") }

    private static func isWordCharacter(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.value < 0x80 { return scalar.properties.isAlphabetic || (0x30...0x39).contains(scalar.value) }
        return scalar.properties.isAlphabetic || scalar.properties.numericType != nil
            || scalar.properties.isGraphemeExtend
    }
}

/// A search over the words of titles and authors: every word must occur, the last one may be a beginning.
public struct SearchQuery: Sendable, Hashable {
    /// The folded words.
    public let words: [String]
    /// Whether the last word may be the beginning of one.
    public let lastIsPrefix: Bool

    /// The query of a text; nil when it holds no word.
    public init?(_ text: String, lastIsPrefix: Bool) {
        words = SearchText.words(of: text)
        self.lastIsPrefix = lastIsPrefix
        guard !words.isEmpty else { return nil }
    }

    /// Whether some words, folded, contain all of the query's.
    public func matches(_ text: [String]) -> Bool {
        words.enumerated().allSatisfy { index, word in
            lastIsPrefix && index == words.count - 1 ? text.contains { $0.hasPrefix(word) } : text.contains(word)
        }
    }
}
