import Bytes

/// The authors in a cell of a CSV file.
///
/// A cell contains several names, or one with the family name first, and a comma may occur in both: "Neil Gaiman, Terry
/// Pratchett" and "Le Guin, Ursula K.". Books accept a name in either order.
enum CSVAuthorCell {
    /// Returns the names in a cell. Semicolons separate them if there are any, and a comma is then part of a name;
    /// otherwise commas do.
    ///
    /// - Parameter mayBeInverted: Whether a cell with one comma may be one name. In a file with commas between its
    ///   columns it is a list.
    static func names(in cell: String, mayBeInverted: Bool) -> [String] {
        if cell.utf8.contains(UInt8(ascii: ";")) { return parts(of: cell, at: UInt8(ascii: ";")) }
        let parts = parts(of: cell, at: UInt8(ascii: ","))
        return mayBeInverted && isInverted(parts) ? [parts.joined(separator: ", ")] : parts
    }

    /// Returns whether two parts are a family name and a given name. One of the parts is a single word, or the second
    /// ends with an initial. Two authors both have a word before their family names.
    private static func isInverted(_ parts: [String]) -> Bool {
        guard parts.count == 2 else { return false }
        return parts.contains { !$0.utf8.contains(UInt8(ascii: " ")) } || parts[1].utf8.last == UInt8(ascii: ".")
    }

    private static func parts(of text: String, at separator: UInt8) -> [String] {
        text.utf8.split(separator: separator).map { Substring($0).trimmed }.filter { !$0.isEmpty }
    }
}
