import Bytes
import JSON

/// The body of a request that creates or changes a book.
public typealias BookPatch = MergePatch<Book>

extension FieldRule where Value == [String] {
    /// A rule that requires a list of names. It is empty if a whole body leaves it out.
    static let names = FieldRule { decoder, name, form in
        let names = decoder.strings(name, count: 0...50, length: 1...200)
        return form == .whole ? names.value : decoder.required(name, names, form)
    }
}

extension FieldRule where Value == String? {
    /// A rule that allows null, or an ISBN-10 or ISBN-13, stored as thirteen digits.
    static let isbn = FieldRule(orNull: { decoder, name in
        decoder.parsed(
            decoder.string(name, length: 10...17), name,
            "must be an ISBN-10 or ISBN-13 with a valid check digit; hyphens and spaces are allowed"
        ) { ISBN($0)?.digits }
    })

    /// A rule that allows null, or a BCP 47 tag.
    static let language = FieldRule(orNull: { decoder, name in
        decoder.parsed(
            decoder.string(name, length: 2...35), name, "must be a BCP 47 language tag such as en or pt-BR"
        ) { Book.isLanguageTag($0) ? $0 : nil }
    })
}

extension Book {
    /// Returns whether a text has the form of a BCP 47 tag: two to eight letters, then further subtags of up to eight
    /// characters.
    public static func isLanguageTag(_ text: String) -> Bool {
        text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false).enumerated().allSatisfy {
            index, part in
            (index == 0 ? 2...8 : 1...8).contains(part.count)
                && part.allSatisfy { $0.isLetter || index > 0 && $0.isDigit }
        }
    }
}
