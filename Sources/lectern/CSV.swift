/// Reads CSV (RFC 4180): quotes, doubled quotes, line breaks within quotes; CRLF or LF; with or without a byte order mark.
///
/// A field is quoted when it begins with a quote; a quote anywhere else is a character, as in `="0439023483"`. What is wrong
/// with a file is said with its line and never guessed: after it, nobody knows where a row ends.
struct CSV {
    /// A row, and the line of the file where it begins, from 1.
    struct Row: Equatable {
        let line: Int
        let fields: [String]
    }

    /// What is wrong with a file, and where.
    struct Fault: Error, Equatable {
        let line: Int
        let reason: String
    }

    private let bytes: [UInt8]
    private var offset = 0
    private var line = 1

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { offset = 3 }
    }

    static func rows(_ bytes: [UInt8]) throws(Fault) -> [Row] {
        var csv = CSV(bytes)
        var rows: [Row] = []
        while let row = try csv.next() { rows.append(row) }
        return rows
    }

    /// The next row that is not empty.
    mutating func next() throws(Fault) -> Row? {
        while offset < bytes.count {
            let start = line
            let fields = try row()
            if fields != [""] { return Row(line: start, fields: fields) }
        }
        return nil
    }

    private mutating func row() throws(Fault) -> [String] {
        var fields: [String] = []
        while true {
            let start = line
            let isQuoted = offset < bytes.count && bytes[offset] == UInt8(ascii: "\"")
            fields.append(try text(isQuoted ? quoted() : plain(), from: start))
            guard offset < bytes.count else { return fields }
            let end = bytes[offset]
            offset += 1
            if end == UInt8(ascii: ",") { continue }
            if end == UInt8(ascii: "\r"), offset < bytes.count, bytes[offset] == UInt8(ascii: "\n") { offset += 1 }
            line += 1
            return fields
        }
    }

    /// Up to a comma or a line's end, which stays.
    private mutating func plain() -> ArraySlice<UInt8> {
        let start = offset
        while offset < bytes.count, !Self.isEnd(bytes[offset]) { offset += 1 }
        return bytes[start..<offset]
    }

    /// From a quote to its other one, after which a comma or a line's end stays.
    private mutating func quoted() throws(Fault) -> ArraySlice<UInt8> {
        let start = line
        var text: [UInt8] = []
        offset += 1
        while offset < bytes.count {
            let byte = bytes[offset]
            offset += 1
            if byte == UInt8(ascii: "\n") { line += 1 }
            guard byte == UInt8(ascii: "\"") else {
                text.append(byte)
                continue
            }
            guard offset < bytes.count, !Self.isEnd(bytes[offset]) else { return text[...] }
            guard bytes[offset] == byte else {
                throw Fault(
                    line: line,
                    reason: "after the quote that ends a field (begun on line \(start)) more text follows; "
                        + "a quote within a quoted field is written twice")
            }
            text.append(byte)
            offset += 1
        }
        throw Fault(line: start, reason: "the quote that begins a field here is never closed")
    }

    private func text(_ field: ArraySlice<UInt8>, from line: Int) throws(Fault) -> String {
        guard let text = String(validating: field, as: UTF8.self) else {
            throw Fault(
                line: line,
                reason: "this is not UTF-8; where it is Latin-1, `iconv -f LATIN1 -t UTF-8` makes it so")
        }
        return text
    }

    private static func isEnd(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
    }
}
