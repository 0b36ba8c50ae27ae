import Glibc

/// How far a long command is, on standard error: on a terminal a bar; elsewhere now and then a line, about twenty of a run,
/// and none of a short one.
struct ImportProgress {
    private let total: Int
    private let isTerminal: Bool
    private let start = ContinuousClock.now
    /// The last step that was shown, of a hundred on a terminal and else of twenty.
    private var step = -1
    private var shownAt = Duration.zero

    init(total: Int, isTerminal: Bool = isatty(2) == 1) {
        self.total = max(total, 1)
        self.isTerminal = isTerminal
    }

    /// Shows how far it is, if that is to be shown again.
    mutating func show(_ done: Int) {
        guard isDue(done) else { return }
        if let text = text(done, after: ContinuousClock.now - start) { write(text) }
    }

    /// Writes a line of something else.
    func say(_ line: String) { write((isTerminal ? Self.clearing : "") + printable(line) + "\n") }

    /// Leaves the line free.
    func finish() { if isTerminal { write(Self.clearing) } }

    /// What is written of so many rows after a time; nil when it is too early.
    mutating func text(_ done: Int, after time: Duration) -> String? {
        guard isDue(done) else { return nil }
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

    private func isDue(_ done: Int) -> Bool { done * (isTerminal ? 100 : 20) / total > step }

    /// A time as people say it: 45 s, 2 min 24 s, 1 h 5 min.
    private static func span(_ time: Duration) -> String {
        let seconds = time.components.seconds
        if seconds < 60 { return "\(seconds) s" }
        if seconds < 3600 { return "\(seconds / 60) min \(seconds % 60) s" }
        return "\(seconds / 3600) h \(seconds % 3600 / 60) min"
    }

    /// Back to the line's beginning, and all of it away.
    private static let clearing = "\r\u{1B}[K"

    private func write(_ text: String) { sayAside(text) }
}
