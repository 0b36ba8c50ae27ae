/// Reads CSV (RFC 4180): quotes, doubled quotes, line breaks within quotes; CRLF or LF; with or without a byte order mark.
///
/// It is given a file in chunks, however they are cut, and keeps no more of it than a chunk and a row. A field is quoted when it
/// begins with a quote; a quote anywhere else is a character, as in `="0439023483"`. What is wrong with a file is said with its
/// line and never guessed: after it, nobody knows where a row ends.
struct CSV {
    /// What is wrong with a file, and where.
    struct Fault: Error, Equatable {
        let line: Int
        let reason: String
    }

    /// Where in the file's grammar the next byte is.
    private enum State {
        /// Where a byte order mark may be, so many bytes of which were seen.
        case mark(Int)
        case rowBegins, fieldBegins, plain, quoted
        /// After a quote within a quoted field: its end, or half of a quote.
        case quote
        /// After a carriage return that ended a row; a line feed belongs to it.
        case carriage
    }

    /// Bytes that a row may have: what is never closed would otherwise fill the memory.
    private let rowBytesMax: Int
    private let separator: UInt8
    private var chunk: [UInt8] = []
    private var offset = 0
    private var isLast = false
    private var state = State.mark(0)
    private var line = 1
    private var row = Row(line: 1)
    /// Where the quoted field begins.
    private var quoteLine = 1

    init(rowBytesMax: Int = 4 << 20, separator: UInt8 = UInt8(ascii: ",")) {
        (self.rowBytesMax, self.separator) = (rowBytesMax, separator)
    }

    /// Returns the separator that the first line of a file has most of: a comma, a semicolon as spreadsheets write it where the comma is
    /// the decimal point, or a tab.
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

    /// Whether the end of the file was given.
    var hasEnded: Bool { isLast }

    /// Takes the next bytes of the file, once `next` has no more rows; none at the end of the file.
    mutating func feed(_ bytes: [UInt8]) {
        (chunk, offset, isLast) = (bytes, 0, bytes.isEmpty)
    }

    /// The next row that is not empty; nil when more bytes are needed, and after the end.
    mutating func next() throws(Fault) -> Row? {
        while offset < chunk.count {
            if let row = try step(), !row.isEmpty { return row }
        }
        guard isLast else {
            guard row.byteCount <= rowBytesMax else { throw tooLong }
            return nil
        }
        return try end()
    }

    /// Reads what there is of one thing; a row when this ends it.
    private mutating func step() throws(Fault) -> Row? {
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
            if case .rowBegins = state { row = Row(line: line) }
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
                throw Fault(
                    line: line,
                    reason: "after the quote that ends a field (begun on line \(quoteLine)) more text follows; "
                        + "a quote within a quoted field is written twice")
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

    /// Up to a quote, which is taken too.
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

    /// At a separator or a line's end; the row, when it ends there.
    private mutating func endField() throws(Fault) -> Row? {
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

    /// The file ends: so does the row that has begun.
    private mutating func end() throws(Fault) -> Row? {
        switch state {
        case .rowBegins, .carriage, .mark(0): return nil
        case .mark(let seen): takeMark(seen)
        case .quoted: throw Fault(line: quoteLine, reason: "the quote that begins a field here is never closed")
        case .plain, .quote, .fieldBegins: break
        }
        state = .rowBegins
        row.endField()
        let last = try whole()
        return last.isEmpty ? nil : last
    }

    private func whole() throws(Fault) -> Row {
        guard row.byteCount <= rowBytesMax else { throw tooLong }
        try row.demandText()
        return row
    }

    /// What began like a byte order mark is the text that it is.
    private mutating func takeMark(_ seen: Int) {
        row = Row(line: line)
        row.append(Self.byteOrderMark[..<seen])
        state = seen == 0 ? .rowBegins : .plain
    }

    private var tooLong: Fault {
        if case .quoted = state {
            return Fault(
                line: quoteLine, reason: "the quote that begins a field here is not closed within \(rowBytesMax) bytes")
        }
        return Fault(line: row.line, reason: "the row that begins here has more than \(rowBytesMax) bytes")
    }

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    private func isEnd(_ byte: UInt8) -> Bool {
        byte == separator || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
    }
}
