import Bytes

/// The source of a file's rows. A book's id is derived from the source and the source's name for the book. Thus no file
/// can change the books of another source.
///
/// Only an import that names the source may change its books. Without a name it only adds books, because two files with
/// one name or form may belong to two people.
struct CSVRowSource: Equatable {
    /// A Boolean value indicating whether the person named the source.
    let isNamed: Bool
    private let name: String

    /// Uses the source that `--source` names, or the one that the header indicates, or the file's name.
    init(named name: String?, form: BookFileFormat?, file: String) throws(CommandError) {
        isNamed = name != nil
        if let name {
            let isPlain = name.utf8.allSatisfy { byte in
                byte.isLetter || byte.isDigit || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
            }
            guard isPlain, (1...100).contains(name.utf8.count), !["isbn", "title", "file"].contains(name) else {
                throw .misused(
                    "--source must be letters, digits, \"-\" and \".\", and not \"isbn\", \"title\" or \"file\".")
            }
            self.name = name
        } else {
            self.name = form?.rawValue ?? "file:\(file.split(separator: "/").last ?? "")"
        }
    }

    /// Returns the key from which a row's id is derived: its number, or its ISBN, or its title and authors in any case.
    /// Books of unnamed sources without numbers get the same id in each file.
    func key(number: String?, isbn: String?, title: String, authors: [String]) -> String {
        if let number { return "\(name):\(number)" }
        let key = isbn.map { "isbn:\($0)" } ?? "title:\(([title] + authors).joined(separator: "\n").lowercased())"
        return isNamed ? "\(name):\(key)" : key
    }
}
