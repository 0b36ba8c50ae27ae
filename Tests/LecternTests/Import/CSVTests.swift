import Testing

@testable import lectern

extension CSVParser {
    /// Returns the rows of a file that is parsed in chunks of a size, or whole.
    static func rows(_ bytes: [UInt8], chunk: Int? = nil, rowBytesMax: Int = 4 << 20) throws -> [CSVRow] {
        var rest = bytes[...]
        var csv = CSVParser(separator: UInt8(ascii: ","), rowBytesMax: rowBytesMax) {
            defer { rest = rest.dropFirst(chunk ?? bytes.count) }
            return Array(rest.prefix(chunk ?? bytes.count))
        }
        var rows: [CSVRow] = []
        while let row = try csv.next() { rows.append(row) }
        return rows
    }
}

extension CSVRow {
    init(_ fields: [String], line: Int = 1) {
        self.init(line: line)
        for field in fields {
            for byte in field.utf8 { append(byte) }
            endField()
        }
    }
}

@Suite("CSV")
struct CSVTests {
    /// The rows of a file, or its syntax error.
    private enum Reading: Equatable {
        case rows([CSVRow])
        case fault(CSVSyntaxError)

        init(_ bytes: [UInt8], chunk: Int? = nil) throws {
            do { self = .rows(try CSVParser.rows(bytes, chunk: chunk)) } catch let fault as CSVSyntaxError {
                self = .fault(fault)
            }
        }
    }

    static let files: [(text: String, rows: [(line: Int, fields: [String])])] = [
        ("", []), ("\n\r\n\r\"\"\n", []), ("a", [(1, ["a"])]), ("a,", [(1, ["a", ""])]), (",", [(1, ["", ""])]),
        ("a,b\nc,d\n", [(1, ["a", "b"]), (2, ["c", "d"])]),
        ("a,b\r\nc,d", [(1, ["a", "b"]), (2, ["c", "d"])]),
        ("a\rb\r\rc\n", [(1, ["a"]), (2, ["b"]), (4, ["c"])]),
        ("\u{FEFF}\"a\",b\n", [(1, ["a", "b"])]),
        ("\u{FEFF}\u{FEFF}a\n\u{FEFF}", [(1, ["\u{FEFF}a"]), (2, ["\u{FEFF}"])]),
        // Two characters that begin like a byte order mark.
        ("\u{FF21}b,\"c\"", [(1, ["\u{FF21}b", "c"])]), ("\u{FEC0}\n", [(1, ["\u{FEC0}"])]),
        ("\"a \"\"b\"\", c\"\n", [(1, ["a \"b\", c"])]),
        ("\"a\nb\r\nc\",d\ne\n", [(1, ["a\nb\r\nc", "d"]), (4, ["e"])]),
        ("=\"0439023483\",a \"b\" c\n", [(1, ["=\"0439023483\"", "a \"b\" c"])]),
        ("\"\",\"\"\"\"\n\"x\"", [(1, ["", "\""]), (2, ["x"])]),
        ("Größe,日本,😀\n\n\nя", [(1, ["Größe", "日本", "😀"]), (4, ["я"])]),
    ]

    @Test("Rows, fields and lines are those of RFC 4180, however the file is cut", arguments: files)
    func rows(_ file: (text: String, rows: [(line: Int, fields: [String])])) throws {
        let bytes = Array(file.text.utf8)
        let rows = file.rows.map { CSVRow($0.fields, line: $0.line) }
        #expect(try Reading(bytes) == .rows(rows), "\(file.text)")
        for size in 1...max(bytes.count, 1) { #expect(try Reading(bytes, chunk: size) == .rows(rows), "by \(size)") }
    }

    static let faults: [(bytes: [UInt8], line: Int, reason: String)] = [
        (Array("a\n\"b\nc".utf8), 2, "no closing quote"), (Array("a\n\"b\n\"c".utf8), 3, "starts on line 2"),
        (Array("a\n\"b\nc\",".utf8) + [0xE9], 2 + 1, "not UTF-8"), ([0xEF, 0xBB], 1, "not UTF-8"),
        // The two halves of a character in different fields are invalid.
        (Array("a\nb,c".utf8) + [0xC3] + Array(",".utf8) + [0xA4], 2, "not UTF-8"),
        ([0xEF, 0x2C, 0xBB, 0xBF, 0x0A], 1, "not UTF-8"),
    ]

    @Test("An error has its line, however the file is cut", arguments: faults)
    func fault(_ file: (bytes: [UInt8], line: Int, reason: String)) throws {
        for size in 1...file.bytes.count {
            guard case .fault(let fault) = try Reading(file.bytes, chunk: size) else {
                Issue.record("nothing is wrong by \(size)")
                continue
            }
            #expect(fault.line == file.line && fault.reason.contains(file.reason), "\(fault) by \(size)")
        }
    }

    @Test("Any bytes are the same rows, or the same fault with its line, in chunks of every size")
    func noise() throws {
        var random = SystemRandomNumberGenerator()
        let alphabet = Array("a\"\",,\r\n\n=".utf8) + [0xC3, 0xA4, 0, 0xEF, 0xBB, 0xBF]
        for _ in 0..<5000 {
            let bytes = (0..<Int.random(in: 0...24, using: &random)).map { _ in
                alphabet.randomElement(using: &random) ?? 0
            }
            let lines = bytes.count(where: { $0 == 10 || $0 == 13 }) + 1
            let whole = try Reading(bytes)
            switch whole {
            case .rows(let rows): #expect(rows.allSatisfy { (1...lines).contains($0.line) && $0.count > 0 })
            case .fault(let fault): #expect((1...lines).contains(fault.line))
            }
            for size in 1...max(bytes.count, 1) {
                #expect(try Reading(bytes, chunk: size) == whole, "\(bytes) by \(size)")
            }
        }
    }

    @Test("An endless row is refused before it fills the memory", arguments: [1, 7, 1000])
    func endless(_ chunk: Int) {
        let rest = String(repeating: "x,\n", count: 400)
        for (text, line, reason) in [
            ("a\nb\n\"c" + rest, 3, "a field that starts here has no closing quote within 1000 bytes"),
            (
                "a\nb\n" + rest.filter { $0 != "\n" } + rest.filter { $0 != "\n" }, 3,
                "the row that starts here has more"
            ),
        ] {
            #expect {
                try CSVParser.rows(Array(text.utf8), chunk: chunk, rowBytesMax: 1000)
            } throws: { error in
                (error as? CSVSyntaxError).map { $0.line == line && $0.reason.contains(reason) } ?? false
            }
        }
        #expect(throws: Never.self) { try CSVParser.rows(Array(rest.utf8), chunk: chunk, rowBytesMax: 1000) }
    }
}
