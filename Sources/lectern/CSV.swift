/// Reads CSV (RFC 4180): quotes, doubled quotes, line breaks within quotes; CRLF or LF; with or without a byte order mark.
struct CSV: Sequence, IteratorProtocol {
    /// A row, and the line of the file where it begins, from 1.
    struct Row: Equatable {
        let line: Int
        let fields: [String]
    }

    private let bytes: [UInt8]
    private var offset = 0
    private var line = 1

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { offset = 3 }
    }

    /// The next row that is not empty.
    mutating func next() -> Row? {
        while offset < bytes.count {
            let start = line
            let fields = row()
            if fields != [""] { return Row(line: start, fields: fields) }
        }
        return nil
    }

    private mutating func row() -> [String] {
        var fields: [String] = []
        while true {
            fields.append(field())
            guard offset < bytes.count else { return fields }
            let end = bytes[offset]
            offset += 1
            if end == UInt8(ascii: ",") {
                if offset == bytes.count {
                    fields.append("")
                    return fields
                }
                continue
            }
            if end == UInt8(ascii: "\r"), offset < bytes.count, bytes[offset] == UInt8(ascii: "\n") { offset += 1 }
            line += 1
            return fields
        }
    }

    /// Up to a comma or a line's end, which stays.
    private mutating func field() -> String {
        var text: [UInt8] = []
        var isQuoted = false
        while offset < bytes.count {
            let byte = bytes[offset]
            if byte == UInt8(ascii: "\"") {
                offset += 1
                if isQuoted, offset < bytes.count, bytes[offset] == byte {
                    text.append(byte)
                    offset += 1
                } else {
                    isQuoted.toggle()
                }
                continue
            }
            if !isQuoted, byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") {
                break
            }
            if byte == UInt8(ascii: "\n") { line += 1 }
            text.append(byte)
            offset += 1
        }
        return String(decoding: text, as: UTF8.self)
    }
}
