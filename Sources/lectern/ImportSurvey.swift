/// What the first reading of a file finds: that it can be read to its end, how many rows it has, and which books have several.
struct ImportSurvey {
    let columns: BookColumns
    let source: ImportSource
    private(set) var rows = 0
    var repeats = Repeats()

    /// Reads all of a file whose source the person named, or not.
    init(_ file: ImportFile, source named: String?) throws {
        var rows = ImportRows(file)
        do {
            guard let header = try rows.next(), let columns = BookColumns(header: header.fields) else {
                throw Failure(description: "\(file.name) has no header with a column title (or name) in it.")
            }
            self.columns = columns
            source = try ImportSource(named: named, form: columns.form, file: file.name)
            while let row = try rows.next() {
                self.rows += 1
                if let id = columns.id(row, of: source) { repeats.note(id) }
            }
        } catch let fault as CSV.Fault {
            throw Failure(description: "\(file.name):\(fault.line): \(fault.reason). Nothing was imported.")
        }
        repeats.close()
    }
}

/// The rows of a file in their order, the header first.
struct ImportRows {
    private let file: ImportFile
    private var csv = CSV()

    init(_ file: ImportFile) { self.file = file }

    /// Throws what is wrong with the file, a `CSV.Fault`, or that it cannot be read on, a `Failure`.
    mutating func next() throws -> CSV.Row? {
        while true {
            if let row = try csv.next() { return row }
            if csv.hasEnded { return nil }
            csv.feed(try file.chunk())
        }
    }
}
