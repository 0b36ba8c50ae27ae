/// The words that titles begin with and that people leave out, folded, of all languages.
enum LeadingArticles {
    static let all = Set(
        [
            "the", "a", "an", "der", "die", "das", "ein", "eine", "le", "la", "les", "un", "une", "el", "los", "las",
            "una", "il", "lo", "gli", "i", "o", "os", "as", "um", "uma", "de", "het", "een", "den", "det", "en", "et",
            "ett", "az", "egy", "els", "η", "ο", "το", "οι", "τα",
        ].map { Array($0.utf8) })
}
