/// A parser of CSV (RFC 4180): quotes, doubled quotes, line breaks within quotes; CRLF or LF; with or without a byte
/// order mark.
///
/// It reads a file in chunks of any size, and keeps only a chunk and a row of it. A field is quoted if it begins
/// with a quote; a quote anywhere else is a character, as in `="0439023483"`. A syntax error is reported with its line
/// and ends the parsing, because the rows after it cannot be found.
struct CSVParser {
    /// The state of the parser before the next byte.
    private enum State {
        case fieldBegins, plain, quoted
        /// After a quote within a quoted field: the field's end, or the first half of a doubled quote.
        case quote
        /// After a carriage return that ended a row; a following line feed is part of the line end.
        case carriage
    }

    /// The maximum bytes of a row. Otherwise a quote that is never closed would fill the memory.
    private let rowBytesMax: Int
    /// The character between two columns.
    let separator: UInt8
    private let read: () throws -> [UInt8]
    private var chunk: [UInt8] = []
    private var offset = 0
    private var state = State.fieldBegins
    private var hasMark = false
    private var line = 1
    private var row = CSVRow(line: 1)
    /// The line where the quoted field begins.
    private var quoteLine = 1

    /// Creates a parser. `read` returns the next bytes of the file, or none at the end.
    init(separator: UInt8, rowBytesMax: Int = 4 << 20, read: @escaping () throws -> [UInt8]) {
        (self.separator, self.rowBytesMax, self.read) = (separator, rowBytesMax, read)
    }

    /// Creates a parser of a file with any separator.
    init(_ file: ImportFile) { self.init(separator: Self.separator(of: file.beginning()), read: file.chunk) }

    /// Returns the separator that occurs most often in a file's first line: a comma, a semicolon or a tab. Spreadsheets
    /// write semicolons where the comma is the decimal point.
    static func separator(of beginning: [UInt8]) -> UInt8 {
        var counts: [UInt8: Int] = [:]
        var isQuoted = false
        for byte in beginning {
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            if !isQuoted, byte == UInt8(ascii: "\n") { break }
            if !isQuoted { counts[byte, default: 0] += 1 }
        }
        let separators = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")]
        return separators.max { counts[$0, default: 0] < counts[$1, default: 0] } ?? separators[0]
    }

    /// Returns the next row that is not empty, or `nil` at the end. Throws a `CSVSyntaxError`, or an error of `read`.
    mutating func next() throws -> CSVRow? {
        repeat {
            while offset < chunk.count {
                // Text within a field is added at once, except in the first line, which may begin with the mark.
                let isText = line > 1 && (state == .plain || state == .quoted)
                let rest = isText ? chunk[offset...] : []
                let text = rest.prefix { $0 != UInt8(ascii: "\"") && !isEnd($0) }
                row.append(text)
                offset += max(text.count, 1)
                if text.isEmpty, let row = try take(chunk[offset - 1]), !row.isEmpty { return row }
            }
            guard row.byteCount <= rowBytesMax else { throw tooLong }
            (chunk, offset) = (try read(), 0)
        } while !chunk.isEmpty
        if case .quoted = state {
            throw CSVSyntaxError(line: quoteLine, reason: "a field that starts here has no closing quote")
        }
        if row.byteCount == 0 { return nil }
        row.endField()
        return try endRow()
    }

    /// Takes a byte, and returns the row if the byte ends one.
    private mutating func take(_ byte: UInt8) throws(CSVSyntaxError) -> CSVRow? {
        let (isQuote, isLineFeed) = (byte == UInt8(ascii: "\""), byte == UInt8(ascii: "\n"))
        switch state {
        case .carriage where isLineFeed: state = .fieldBegins
        case .fieldBegins where isQuote, .carriage where isQuote: (state, quoteLine) = (.quoted, line)
        case .quoted where isQuote: state = .quote
        case .quoted:
            if isLineFeed { line += 1 }
            row.append(byte)
        case .quote where isQuote:
            row.append(byte)
            state = .quoted
        case _ where isEnd(byte):
            row.endField()
            state = byte == UInt8(ascii: "\r") ? .carriage : .fieldBegins
            return byte == separator ? nil : try endRow()
        case .quote:
            throw CSVSyntaxError(
                line: line,
                reason: "there is text after the closing quote of a field (which starts on line \(quoteLine)); "
                    + "write a quote inside a quoted field twice")
        case .fieldBegins, .carriage, .plain:
            row.append(byte)
            state = .plain
            if !hasMark, line == 1, row.isByteOrderMark {
                (state, hasMark, row) = (.fieldBegins, true, CSVRow(line: 1))
            }
        }
        return nil
    }

    private mutating func endRow() throws(CSVSyntaxError) -> CSVRow {
        line += 1
        // The next row may be as long.
        defer { row = CSVRow(line: line, capacity: row.byteCount) }
        guard row.byteCount <= rowBytesMax else { throw tooLong }
        try row.demandText()
        return row
    }

    private var tooLong: CSVSyntaxError {
        if case .quoted = state {
            return CSVSyntaxError(
                line: quoteLine, reason: "a field that starts here has no closing quote within \(rowBytesMax) bytes")
        }
        return CSVSyntaxError(line: row.line, reason: "the row that starts here has more than \(rowBytesMax) bytes")
    }

    private func isEnd(_ byte: UInt8) -> Bool {
        byte == separator || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
    }
}

/// A syntax error and its line.
struct CSVSyntaxError: Error, Equatable {
    let line: Int
    let reason: String
}
