/// A parser of CSV (RFC 4180): quotes, doubled quotes, line breaks within quotes; CRLF, LF or CR; with or without a byte
/// order mark.
///
/// A field is quoted if it begins with a quote; a quote anywhere else is a character, as in `="0439023483"`. A syntax
/// error is reported with its line and ends the parsing, because the rows after it cannot be found.
struct CSVParser {
    /// The character between two columns.
    let separator: UInt8
    private let bytes: [UInt8]
    private var offset: Int
    private var line = 1

    /// Creates a parser of a file with any separator.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        separator = Self.separator(of: bytes)
        offset = bytes.starts(with: "\u{FEFF}".utf8) ? 3 : 0
    }

    /// Returns the separator that occurs most often in a file's first line: a comma, a semicolon or a tab. Spreadsheets
    /// write semicolons where the comma is the decimal point.
    static func separator(of bytes: [UInt8]) -> UInt8 {
        var counts: [UInt8: Int] = [:]
        var isQuoted = false
        for byte in bytes.prefix(1 << 16) {
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            if !isQuoted, byte == UInt8(ascii: "\n") { break }
            if !isQuoted { counts[byte, default: 0] += 1 }
        }
        let separators = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")]
        return separators.max { counts[$0, default: 0] < counts[$1, default: 0] } ?? separators[0]
    }

    /// Returns the next row that is not an empty line, or `nil` at the end.
    mutating func next() throws(CSVSyntaxError) -> CSVRow? {
        while offset < bytes.count {
            let row = try row()
            if row.fields != [""] { return row }
        }
        return nil
    }

    private mutating func row() throws(CSVSyntaxError) -> CSVRow {
        let begin = line
        var fields = [try field()]
        while take(separator) { fields.append(try field()) }
        // A line ends with a carriage return, a line feed, or both.
        _ = take(UInt8(ascii: "\r"))
        _ = take(UInt8(ascii: "\n"))
        line += 1
        return CSVRow(line: begin, fields: fields)
    }

    /// Takes the next byte if it is this one.
    private mutating func take(_ byte: UInt8) -> Bool {
        guard offset < bytes.count, bytes[offset] == byte else { return false }
        offset += 1
        return true
    }

    private mutating func field() throws(CSVSyntaxError) -> String {
        let begin = line
        let field = take(UInt8(ascii: "\"")) ? try quotedField() : plainField()
        guard let text = String(validating: field, as: UTF8.self) else {
            throw CSVSyntaxError(
                line: begin, reason: "this is not UTF-8. Convert Latin-1 with `iconv -f LATIN1 -t UTF-8`")
        }
        return text
    }

    /// Takes the bytes before the next separator or line end.
    private mutating func plainField() -> ArraySlice<UInt8> {
        let field = bytes[offset...].prefix {
            $0 != separator && $0 != UInt8(ascii: "\r") && $0 != UInt8(ascii: "\n")
        }
        offset = field.endIndex
        return field
    }

    /// Takes the rest of a field after its opening quote.
    private mutating func quotedField() throws(CSVSyntaxError) -> ArraySlice<UInt8> {
        let begin = line
        var field: ArraySlice<UInt8> = []
        repeat {
            let part = bytes[offset...].prefix { $0 != UInt8(ascii: "\"") }
            guard part.endIndex < bytes.count else {
                throw CSVSyntaxError(line: begin, reason: "a field that starts here has no closing quote")
            }
            line += part.count { $0 == UInt8(ascii: "\n") }
            offset = part.endIndex + 1
            // A doubled quote is a character.
            field += bytes[part.startIndex..<offset]
        } while take(UInt8(ascii: "\""))
        guard plainField().isEmpty else {
            throw CSVSyntaxError(
                line: line,
                reason: "there is text after the closing quote of a field (which starts on line \(begin)); "
                    + "write a quote inside a quoted field twice")
        }
        return field.dropLast()
    }
}

/// A row: its fields, and the line of the file where it begins, from 1.
struct CSVRow: Equatable {
    let line: Int
    let fields: [String]
}

/// A syntax error and its line.
struct CSVSyntaxError: Error, Equatable {
    let line: Int
    let reason: String
}
