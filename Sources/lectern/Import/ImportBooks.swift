/// `lectern import books FILE.csv`: sends each row as a `PUT` of a book, under an id derived from the row.
///
/// A file that is not valid UTF-8 and CSV up to its end is not imported at all, because its rows cannot be found.
/// Therefore the file is parsed twice. A row that is not a book, or that contradicts an earlier row of the same book, is
/// reported with its line, and the others are imported.
func importBooks(_ arguments: CommandLineArguments) throws {
    var run = try CSVBookImport(ImportFile(arguments.operands[0]), source: arguments[.source])
    if try arguments.isOn(.dryRun) {
        try run.check()
        print(run.tally.summary(isDry: true))
    } else {
        let signals = TerminationSignals()
        let client = try ServiceClient(arguments, creates: true)
        defer { print(run.tally.summary(isDry: false)) }
        try run.send(through: client, until: signals)
    }
    if run.tally[.failed] > 0 { throw CommandError.ended(code: 1) }
}
