import Testing

@testable import lectern

extension CSVParser {
    /// Returns the rows of a file.
    static func rows(_ bytes: [UInt8]) throws(CSVSyntaxError) -> [CSVRow] {
        var csv = CSVParser(bytes)
        var rows: [CSVRow] = []
        while let row = try csv.next() { rows.append(row) }
        return rows
    }
}

@Suite("CSV")
struct CSVTests {
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

    @Test("Rows, fields and lines are those of RFC 4180", arguments: files)
    func rows(_ file: (text: String, rows: [(line: Int, fields: [String])])) throws {
        #expect(
            try CSVParser.rows(Array(file.text.utf8)) == file.rows.map { CSVRow(line: $0.line, fields: $0.fields) },
            "\(file.text)")
    }

    static let faults: [(bytes: [UInt8], line: Int, reason: String)] = [
        (Array("a\n\"b\nc".utf8), 2, "no closing quote"), (Array("a\n\"b\n\"c".utf8), 3, "starts on line 2"),
        (Array("a\n\"b\nc\",".utf8) + [0xE9], 2 + 1, "not UTF-8"), ([0xEF, 0xBB], 1, "not UTF-8"),
        // The two halves of a character in different fields are invalid.
        (Array("a\nb,c".utf8) + [0xC3] + Array(",".utf8) + [0xA4], 2, "not UTF-8"),
        ([0xEF, 0x2C, 0xBB, 0xBF, 0x0A], 1, "not UTF-8"),
    ]

    @Test("An error has its line", arguments: faults)
    func fault(_ file: (bytes: [UInt8], line: Int, reason: String)) {
        #expect {
            try CSVParser.rows(file.bytes)
        } throws: { error in
            (error as? CSVSyntaxError).map { $0.line == file.line && $0.reason.contains(file.reason) } ?? false
        }
    }

    @Test("Any bytes are rows with fields, or a fault, with a line of the file")
    func noise() {
        var random = SystemRandomNumberGenerator()
        let alphabet = Array("a\"\",,\r\n\n=".utf8) + [0xC3, 0xA4, 0, 0xEF, 0xBB, 0xBF]
        for _ in 0..<20_000 {
            let bytes = (0..<Int.random(in: 0...24, using: &random)).map { _ in
                alphabet.randomElement(using: &random) ?? 0
            }
            let lines = bytes.count(where: { $0 == 10 || $0 == 13 }) + 1
            do throws(CSVSyntaxError) {
                let rows = try CSVParser.rows(bytes)
                #expect(rows.allSatisfy { (1...lines).contains($0.line) && !$0.fields.isEmpty }, "\(bytes)")
            } catch {
                #expect((1...lines).contains(error.line), "\(bytes)")
            }
        }
    }

    @Test("Quoted fields of any text are read as they were written")
    func quoted() throws {
        let characters: [Character] = ["a", "\"", ",", "\r", "\n", "\r\n", "ä", ";", "\t", " "]
        for _ in 0..<2000 {
            let fields = (0..<Int.random(in: 2...5)).map { _ in
                String((0..<Int.random(in: 0...6)).compactMap { _ in characters.randomElement() })
            }
            let row = fields.map { "\"\($0.replacing("\"", with: "\"\""))\"" }.joined(separator: ",")
            let rows = try CSVParser.rows(Array("a,b,c,d,e\n\(row)\r\nend".utf8))
            #expect(rows.map(\.fields) == [["a", "b", "c", "d", "e"], fields, ["end"]], "\(row)")
        }
    }
}
