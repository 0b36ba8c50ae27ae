/// A parser of CSV (RFC 4180): quotes, doubled quotes, line breaks within quotes; CRLF or LF; with or without a byte
/// order mark.
///
/// It receives a file in chunks of any size, and keeps only a chunk and a row of it. A field is quoted if it begins
/// with a quote; a quote anywhere else is a character, as in `="0439023483"`. A syntax error is reported with its line
/// and ends the parsing, because the rows after it cannot be found.
struct CSVParser {
    /// The state of the parser before the next byte.
    private enum State {
        /// At a possible byte order mark, of which this many bytes were read.
        case mark(Int)
        case rowBegins, fieldBegins, plain, quoted
        /// After a quote within a quoted field: the field's end, or the first half of a doubled quote.
        case quote
        /// After a carriage return that ended a row; a following line feed is part of the line end.
        case carriage
    }

    /// The maximum bytes of a row. Otherwise a quote that is never closed would fill the memory.
    private let rowBytesMax: Int
    private let separator: UInt8
    private var chunk: [UInt8] = []
    private var offset = 0
    private var isLast = false
    private var state = State.mark(0)
    private var line = 1
    private var row = CSVRow(line: 1)
    /// The line where the quoted field begins.
    private var quoteLine = 1

    init(rowBytesMax: Int = 4 << 20, separator: UInt8 = UInt8(ascii: ",")) {
        (self.rowBytesMax, self.separator) = (rowBytesMax, separator)
    }

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

    /// A Boolean value indicating whether the end of the file was reached.
    var hasEnded: Bool { isLast }

    /// Adds the next bytes of the file, once `next` has no more rows; no bytes at the end of the file.
    mutating func feed(_ bytes: [UInt8]) {
        (chunk, offset, isLast) = (bytes, 0, bytes.isEmpty)
    }

    /// Returns the next row that is not empty, or `nil` if more bytes are needed or the file has ended.
    mutating func next() throws(CSVSyntaxError) -> CSVRow? {
        while offset < chunk.count {
            if let row = try step(), !row.isEmpty { return row }
        }
        guard isLast else {
            guard row.byteCount <= rowBytesMax else { throw tooLong }
            return nil
        }
        return try end()
    }

    /// Parses one step, and returns a row if the step ends it.
    private mutating func step() throws(CSVSyntaxError) -> CSVRow? {
        let byte = chunk[offset]
        switch state {
        case .mark(let seen):
            guard byte == Self.byteOrderMark[seen] else {
                takeMark(seen)
                return nil
            }
            offset += 1
            state = seen == 2 ? .rowBegins : .mark(seen + 1)
        case .rowBegins, .fieldBegins:
            if case .rowBegins = state { row = CSVRow(line: line) }
            state = .plain
            guard byte == UInt8(ascii: "\"") else { return nil }
            (state, quoteLine) = (.quoted, line)
            offset += 1
        case .plain:
            let start = offset
            while offset < chunk.count, !isEnd(chunk[offset]) { offset += 1 }
            row.append(chunk[start..<offset])
            if offset < chunk.count { return try endField() }
        case .quoted: quoted()
        case .quote:
            if isEnd(byte) { return try endField() }
            guard byte == UInt8(ascii: "\"") else {
                throw CSVSyntaxError(
                    line: line,
                    reason: "there is text after the closing quote of a field (which starts on line \(quoteLine)); "
                        + "write a quote inside a quoted field twice")
            }
            row.append(chunk[offset...offset])
            offset += 1
            state = .quoted
        case .carriage:
            if byte == UInt8(ascii: "\n") { offset += 1 }
            state = .rowBegins
        }
        return nil
    }

    /// Reads up to a quote and consumes it.
    private mutating func quoted() {
        let start = offset
        while offset < chunk.count, chunk[offset] != UInt8(ascii: "\"") {
            if chunk[offset] == UInt8(ascii: "\n") { line += 1 }
            offset += 1
        }
        row.append(chunk[start..<offset])
        guard offset < chunk.count else { return }
        offset += 1
        state = .quote
    }

    /// Ends a field at a separator or line end, and returns the row if it ends, too.
    private mutating func endField() throws(CSVSyntaxError) -> CSVRow? {
        let byte = chunk[offset]
        offset += 1
        row.endField()
        if byte == separator {
            state = .fieldBegins
            return nil
        }
        line += 1
        state = byte == UInt8(ascii: "\r") ? .carriage : .rowBegins
        return try whole()
    }

    /// Ends the last row at the end of the file.
    private mutating func end() throws(CSVSyntaxError) -> CSVRow? {
        switch state {
        case .rowBegins, .carriage, .mark(0): return nil
        case .mark(let seen): takeMark(seen)
        case .quoted: throw CSVSyntaxError(line: quoteLine, reason: "a field that starts here has no closing quote")
        case .plain, .quote, .fieldBegins: break
        }
        state = .rowBegins
        row.endField()
        let last = try whole()
        return last.isEmpty ? nil : last
    }

    private func whole() throws(CSVSyntaxError) -> CSVRow {
        guard row.byteCount <= rowBytesMax else { throw tooLong }
        try row.demandText()
        return row
    }

    /// Adds the first bytes of an incomplete byte order mark to the row as text.
    private mutating func takeMark(_ seen: Int) {
        row = CSVRow(line: line)
        row.append(Self.byteOrderMark[..<seen])
        state = seen == 0 ? .rowBegins : .plain
    }

    private var tooLong: CSVSyntaxError {
        if case .quoted = state {
            return CSVSyntaxError(
                line: quoteLine, reason: "a field that starts here has no closing quote within \(rowBytesMax) bytes")
        }
        return CSVSyntaxError(line: row.line, reason: "the row that starts here has more than \(rowBytesMax) bytes")
    }

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    private func isEnd(_ byte: UInt8) -> Bool {
        byte == separator || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
    }
}

/// A syntax error and its line.
struct CSVSyntaxError: Error, Equatable {
    let line: Int
    let reason: String
}
