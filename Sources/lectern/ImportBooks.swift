/// `lectern import books FILE.csv`: each row becomes a `PUT` of a book under an id that follows from the row.
///
/// A file that cannot be read to its end as UTF-8 and as CSV is not imported at all: where its rows end nobody knows. So it is
/// read twice. A row that is no book, or says otherwise of a book than a row before it, is said, with its line, and the others
/// are imported.
func importBooks(_ arguments: Arguments) throws -> Int32 {
    guard arguments.operands.count == 1 else { throw Arguments.Misuse(message: "import books needs one FILE.csv.") }
    let file = try ImportFile(arguments.operands[0])
    let survey = try ImportSurvey(file, source: arguments[.source])
    var run = try ImportRun(file, survey)
    let isDry = arguments[.dryRun] != nil
    if isDry {
        try run.look()
        print(run.tally.summary(isDry: true))
        return run.tally[.failed] > 0 ? 1 : 0
    }
    let signals = StopSignals()
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
        throw Failure(
            description: "\(stop) after \(run.tally.done) of \(survey.rows) rows. What was imported stays; "
                + "the same command again goes on.")
    }
    return run.tally[.failed] > 0 ? 1 : 0
}
