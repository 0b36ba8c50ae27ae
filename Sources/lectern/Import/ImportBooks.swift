/// `lectern import books FILE.csv`: sends each row as a `PUT` of a book, under an id derived from the row.
///
/// A file that is not valid UTF-8 and CSV up to its end is not imported at all, because its rows cannot be found.
/// Therefore the file is read twice. A row that is not a book, or that contradicts an earlier row of the same book, is
/// reported with its line, and the others are imported.
func importBooks(_ arguments: CommandLineArguments) throws -> Int32 {
    guard arguments.operands.count == 1 else {
        throw CommandLineArguments.Misuse(message: "import books needs one FILE.csv.")
    }
    let file = try ImportFile(arguments.operands[0])
    let survey = try ImportFirstPass(file, source: arguments[.source])
    var run = try ImportSecondPass(file, survey)
    let isDry = try arguments.isOn(.dryRun)
    if isDry {
        try run.check()
        print(run.tally.summary(isDry: true))
        return run.tally[.failed] > 0 ? 1 : 0
    }
    let signals = TerminationSignals()
    var stop: String?
    let client = try ServiceClient(arguments, creates: true)
    defer { print(run.tally.summary(isDry: false)) }
    try run.send(through: client) {
        if stop == nil, let signal = signals.received {
            stop = signal
            signals.exitAtNext()
        }
        return stop != nil
    }
    if let stop, run.tally.done < survey.rows {
        throw CommandFailure(
            description: "\(stop) after \(run.tally.done) of \(survey.rows) rows. Imported rows stay; "
                + "run the same command again to continue.")
    }
    return run.tally[.failed] > 0 ? 1 : 0
}
