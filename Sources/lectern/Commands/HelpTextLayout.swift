/// Layout of help texts for a terminal.
enum HelpTextLayout {
    /// The maximum number of columns.
    static let width = 100

    /// Breaks a text at its spaces into lines of at most so many columns. A word that is longer has its own line.
    /// A no-break space stays in its line and becomes a space.
    static func lines(of text: String, width: Int = width) -> [String] {
        var lines: [String] = []
        for word in text.split(separator: " ") {
            if let last = lines.last, last.count + 1 + word.count <= width {
                lines[lines.count - 1] = last + " " + word
            } else {
                lines.append(String(word))
            }
        }
        return lines.map { $0.replacing("\u{A0}", with: " ") }
    }

    /// Returns a text that is not broken at its spaces.
    static func unbroken(_ text: String) -> String { text.replacing(" ", with: "\u{A0}") }

    /// Formats an entry of two columns: the text begins at the column, below the name if that is too long.
    static func entry(_ name: String, _ text: String, column: Int) -> String {
        let name = "  " + name
        let space = String(repeating: " ", count: column)
        let lines = lines(of: text, width: width - column).map { space + $0 }
        guard let first = lines.first, name.count + 2 <= column else {
            return ([name] + lines).joined(separator: "\n") + "\n"
        }
        return ([padded(name, column) + first.dropFirst(column)] + lines.dropFirst()).joined(separator: "\n") + "\n"
    }

    /// Returns the column where the texts beside names begin: after the longest name of at most `max` characters.
    static func column(for names: [String], max: Int = 30) -> Int {
        (names.map(\.count).filter { $0 <= max }.max() ?? 0) + 4
    }
}

func padded(_ text: String, _ width: Int) -> String {
    text.count < width ? text + String(repeating: " ", count: width - text.count) : text + " "
}
