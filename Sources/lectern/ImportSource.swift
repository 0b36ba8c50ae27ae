import Bytes

/// Whose rows a file has. A book's id follows from the source and from what the source calls the book, so that no file
/// reaches the books of another source.
///
/// Only who names the source may change its books: without a name a file adds, and leaves what is there as it is, for two
/// files of one name or form may be two people's.
struct ImportSource: Equatable {
    /// Whether the person named it.
    let isNamed: Bool
    private let name: String

    /// The source that `--source` names; else the one that the header tells, or else the file's name.
    init(named name: String?, form: BookColumns.Form?, file: String) throws(Arguments.Misuse) {
        isNamed = name != nil
        if let name {
            let isPlain = name.utf8.allSatisfy { byte in
                byte.isLetter || byte.isDigit || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
            }
            guard isPlain, (1...100).contains(name.utf8.count), !["isbn", "title", "file"].contains(name) else {
                throw Arguments.Misuse(
                    message:
                        "--source takes letters, digits, \"-\" and \".\"; \"isbn\", \"title\" and \"file\" are taken.")
            }
            self.name = name
        } else {
            self.name = form?.rawValue ?? "file:\(file.split(separator: "/").last ?? "")"
        }
    }

    /// What a row's id is made of: its number; without one its ISBN, or title and authors, by which the books of unnamed
    /// sources are found in each other's files too.
    func key(number: String?, isbn: String?, title: String, authors: [String]) -> String {
        if let number { return "\(name):\(number)" }
        let key = isbn.map { "isbn:\($0)" } ?? "title:\(title)|\(authors)"
        return isNamed ? "\(name):\(key)" : key
    }
}
