/// The result of the first reading of a file: its columns and source, and the number of rows.
struct ImportFirstPass {
    let columns: CSVBookColumns
    let source: CSVRowSource
    private(set) var rows = 0

    /// Reads a whole file. `named` is the source that the person named, if any.
    init(_ file: ImportFile, source named: String?) throws {
        if file.beginning().starts(with: Array("{\"kind\":\"export\"".utf8)) {
            throw CommandFailure(
                description: "\(file.name) is an export. Import it with `lectern import \(file.name)`.")
        }
        var rows = CSVParser(file)
        do {
            let header = try rows.next()?.fields ?? []
            guard let columns = CSVBookColumns(header: header, separator: rows.separator) else {
                throw Self.noTitle(file, header)
            }
            self.columns = columns
            source = try CSVRowSource(named: named, form: columns.form, file: file.name)
            while try rows.next() != nil { self.rows += 1 }
        } catch let fault as CSVSyntaxError {
            throw CommandFailure(description: "\(file.name):\(fault.line): \(fault.reason). Nothing was imported.")
        }
    }

    /// Returns why a file is not a list of books, and what to do.
    private static func noTitle(_ file: ImportFile, _ header: [String]) -> CommandFailure {
        let named = header.prefix(20).map { "\"\($0.prefix(40))\"" }.joined(separator: ", ")
        return CommandFailure(
            description:
                "\(file.name):1: the first line must name the columns, one of them title (or name), separated by commas, "
                + "semicolons or tabs; it has \(named.isEmpty ? "nothing" : named). Nothing was imported.")
    }
}
