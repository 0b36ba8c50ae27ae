import Bytes
import CTables
import Model

/// The conversion of catalogues' language codes and names to BCP 47 tags.
enum LanguageCode {
    /// Returns the tag for a code of ISO 639-1 or ISO 639-2, or for a language's English name. Codes may be of both
    /// kinds of ISO 639-2 (`deu` and `ger`), in any case, and with subtags (`en-GB`, `en_US`). Returns `nil` for codes
    /// that mean an unknown language. A tag uses the shortest code of a language (RFC 5646, 2.2.1).
    static func tag(of text: String) throws(InvalidText) -> String? {
        let written = text.trimmed
        let unknown = InvalidText(
            reason: "language: \"\(text.prefix(40))\" is not an ISO 639 code or a language tag")
        if let code = names[written.lowercased()] { return code }
        let parts = written.split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "_" }
        let first = parts[0].lowercased()
        guard (2...3).contains(first.utf8.count) else { throw unknown }
        if ["und", "mis", "zxx"].contains(first) { return nil }
        let code = letters[first] ?? first
        let tag = ([code == first ? String(parts[0]) : code] + parts.dropFirst().map(String.init)).joined(
            separator: "-")
        guard Book.isLanguageTag(tag) else { throw unknown }
        return tag
    }

    /// The two-letter codes by English name in lower case.
    private static let names = Dictionary(rows.map { ($0.name, $0.two) }, uniquingKeysWith: { first, _ in first })
    /// The two-letter codes by three-letter code.
    private static let letters = Dictionary(rows.map { ($0.three, $0.two) }, uniquingKeysWith: { first, _ in first })

    /// The languages of ISO 639-1. Those with a bibliographic or withdrawn code, too, come a second time at the end.
    private static let rows: [(two: String, three: String, name: String)] = {
        let bytes = UnsafeBufferPointer(start: lectern_languages(), count: lectern_languages_count())
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map { line in
            let cells = line.split(separator: " ", maxSplits: 2).map(String.init)
            return (cells[0], cells[1], cells[2])
        }
    }()
}
