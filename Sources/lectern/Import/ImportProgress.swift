import Glibc

/// The progress of a long command, on standard error: a bar on a terminal, elsewhere about twenty lines in a run, and
/// none in a short one.
struct ImportProgress {
    private let total: Int
    private let isTerminal: Bool
    private let start = ContinuousClock.now
    /// The last step shown, of 100 on a terminal, otherwise of 20.
    private var step = -1
    private var shownAt = Duration.zero

    init(total: Int, isTerminal: Bool = isatty(2) == 1) {
        self.total = max(total, 1)
        self.isTerminal = isTerminal
    }

    /// Shows the progress, if a new step is reached.
    mutating func show(_ done: Int) {
        if let text = text(done, after: ContinuousClock.now - start) { writeToStandardError(text) }
    }

    /// Writes a message line.
    func writeLine(_ line: String) {
        writeToStandardError((isTerminal ? Self.clearing : "") + escapedForTerminal(line) + "\n")
    }

    /// Clears the progress bar.
    func finish() { if isTerminal { writeToStandardError(Self.clearing) } }

    /// Returns the text for a number of rows after a time, or `nil` if it is too early to show one.
    mutating func text(_ done: Int, after time: Duration) -> String? {
        guard done * (isTerminal ? 100 : 20) / total > step else { return nil }
        if isTerminal {
            step = done * 100 / total
            let filled = String(repeating: "#", count: step / 2) + String(repeating: ".", count: 50 - step / 2)
            return "\r[\(filled)] \(step) %"
        }
        guard done < total, time >= .seconds(10), time - shownAt >= .seconds(1) else { return nil }
        step = done * 20 / total
        shownAt = time
        let rate = Double(done) / (time / .seconds(1))
        let left = Duration.seconds(Double(total - done) / rate)
        return "\(done) of \(total) rows (\(done * 100 / total) %), \(Int(rate)) rows a second, "
            + "about \(Self.span(left)) left\n"
    }

    /// Formats a duration: 45 s, 2 min 24 s, 1 h 5 min.
    private static func span(_ time: Duration) -> String {
        let seconds = time.components.seconds
        if seconds < 60 { return "\(seconds) s" }
        if seconds < 3600 { return "\(seconds / 60) min \(seconds % 60) s" }
        return "\(seconds / 3600) h \(seconds % 3600 / 60) min"
    }

    /// The control sequence that clears the line.
    private static let clearing = "\r\u{1B}[K"
}
