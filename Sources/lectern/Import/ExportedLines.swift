import JSON

/// The lines of an export, each with its number in the file.
struct ExportedLines {
    /// The maximum bytes of a line. With the rest of a request's body it has to fit into `HTTPLimits.bodyBytesMax`. The
    /// longest lines that are exported have a book's chapters (`Chapters.bytesMax`) or cover (`CoverImage.uploadedBytesMax`).
    static let lineBytesMax = 1020 << 10

    private var rest: ArraySlice<UInt8>
    private(set) var number = 0

    init(_ file: ImportFile) { rest = file.bytes[...] }

    /// Returns the next line, or `nil` after the last. A last line may lack its line end.
    mutating func next() -> [UInt8]? {
        guard !rest.isEmpty else { return nil }
        let line = rest.prefix { $0 != 0x0A }
        rest = rest[line.endIndex...].dropFirst()
        number += 1
        return Array(line)
    }
}

/// The check of a whole export before its import, so that an incomplete one changes nothing.
struct ImportFileCheck {
    /// The reader whose account it is, or `nil` for an export of everything.
    private(set) var account: String?
    /// A Boolean value indicating whether a development version wrote it; its lines are converted.
    private(set) var isOfDevelopment = false
    /// The number of lines between the first and the last.
    private(set) var count = 0

    init(_ file: ImportFile) throws {
        var lines = ExportedLines(file)
        func fail(_ reason: String) -> CommandError {
            CommandError.failed("\(file.name):\(lines.number): \(reason) Nothing was imported.")
        }
        func object(_ line: [UInt8]) throws -> JSONValue {
            guard line.count <= ExportedLines.lineBytesMax else {
                throw fail("the line is longer than \(ExportedLines.lineBytesMax) bytes.")
            }
            do {
                return try JSONDocument(line).root
            } catch {
                throw fail("byte \(error.offset + 1) of the line: \(error.reason).")
            }
        }
        if let reason = Self.otherForm(of: file) { throw CommandError.failed("\(file.name):1: \(reason)") }
        guard let first = lines.next(), case let head = try object(first), head["kind"]?.string == "export" else {
            throw fail("this is not an export of Lectern, whose first line has \"kind\":\"export\".")
        }
        guard let format = head["format"]?.integer, [DevelopmentLine.format, 2].contains(format) else {
            throw fail("this version does not support the export's format.")
        }
        isOfDevelopment = format == DevelopmentLine.format
        account = head["reader"]?.string
        if !isOfDevelopment, head["of"]?.string != (account == nil ? "everything" : "account") {
            throw fail(
                "the export's first line must have \"of\":\"everything\", or \"of\":\"account\" with the reader.")
        }
        while let line = lines.next() {
            let given = try object(line)
            guard let kind = given["kind"]?.string else { throw fail("the line has no kind.") }
            if kind == "end" {
                guard given["lines"]?.integer == Int64(count) else {
                    throw fail("the export has \(given["lines"]?.integer ?? 0) lines, but the file has \(count).")
                }
                guard lines.next() == nil else { throw fail("there are lines after the end.") }
                return
            }
            count += 1
        }
        throw fail("the export is incomplete: its last line is missing.")
    }

    /// Returns why a file is not an export, and the command for it if it is a CSV file. Returns `nil` for a file that
    /// begins like an export.
    private static func otherForm(of file: ImportFile) -> String? {
        let line = file.bytes.prefix(1 << 16).prefix { $0 != 0x0A }
        if line.first(where: { $0 != 0x20 }) == UInt8(ascii: "{") { return nil }
        let header = String(decoding: line, as: UTF8.self).split { ",;\t".contains($0) }
        if header.starts(with: ["type", "title", "authors", "isbn", "reading"]) {
            return
                "this is an account as CSV, which cannot be imported. `lectern export --own FILE` writes one that can."
        }
        guard CSVBookColumns(header: header.map { $0.filter { !"\"\u{FEFF}\r".contains($0) } }) != nil else {
            return "this is not an export of Lectern. `lectern export FILE` writes one, as lines of JSON."
        }
        return "this is a CSV file of books, not an export. Import it with `lectern import books \(file.name)`."
    }
}
