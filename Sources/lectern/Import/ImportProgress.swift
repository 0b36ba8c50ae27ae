/// The progress of an import, on standard error: about twenty lines in a long run, and none in a short one.
struct ImportProgress {
    private let file: String
    private let total: Int
    /// The unit of the numbers: `rows` or `lines`.
    private let unit: String
    private let start = ContinuousClock.now
    /// The last step shown, of 20.
    private var step = -1
    private var shownAt = Duration.zero

    init(of file: String, total: Int, _ unit: String) { (self.file, self.total, self.unit) = (file, total, unit) }

    /// Shows the progress, if a new step is reached.
    mutating func show(_ done: Int) {
        if let text = text(done, after: ContinuousClock.now - start) { writeToStandardError(text) }
    }

    /// Writes a message about a line of the file.
    func report(_ line: Int, _ message: String) {
        writeToStandardError(escapedForTerminal("\(file):\(line): \(message)") + "\n")
    }

    /// Throws after a signal.
    func demandNoSignal(_ signals: TerminationSignals, _ done: Int) throws(CommandError) {
        guard let signal = signals.received else { return }
        throw CommandError.failed(
            "\(signal) after \(done) of \(total) \(unit). Imported \(unit) stay; "
                + "run the same command again to continue.")
    }

    /// Returns the text for a number of rows after a time, or `nil` if it is too early to show one.
    mutating func text(_ done: Int, after time: Duration) -> String? {
        guard done < total, done * 20 / total > step, time >= .seconds(10), time - shownAt >= .seconds(1) else {
            return nil
        }
        step = done * 20 / total
        shownAt = time
        let rate = Double(done) / (time / .seconds(1))
        let left = Duration.seconds(Double(total - done) / rate)
        return "\(done) of \(total) \(unit) (\(done * 100 / total) %), \(Int(rate)) \(unit) a second, "
            + "about \(Self.span(left)) left\n"
    }

    /// Formats a duration: 45 s, 2 min 24 s, 1 h 5 min.
    private static func span(_ time: Duration) -> String {
        let seconds = time.components.seconds
        if seconds < 60 { return "\(seconds) s" }
        if seconds < 3600 { return "\(seconds / 60) min \(seconds % 60) s" }
        return "\(seconds / 3600) h \(seconds % 3600 / 60) min"
    }
}
