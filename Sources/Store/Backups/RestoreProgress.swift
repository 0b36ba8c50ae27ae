import Measures

/// Tells the operator how far a long restore is, each few seconds.
package final class RestoreProgress {
    /// Tells the operator something at once.
    let print: (String) -> Void
    private var reportedAt = MonotonicClock.seconds()
    private let seconds: Int

    package init(every seconds: Int = 3, print: @escaping (String) -> Void = { _ in }) {
        (self.seconds, self.print) = (seconds, print)
    }

    /// Tells the operator what is being done, unless something was told a short while before.
    func report(_ text: @autoclosure () -> String) {
        guard MonotonicClock.seconds() - reportedAt >= seconds else { return }
        reportedAt = MonotonicClock.seconds()
        print(text())
    }

    /// Tells the operator what all later work of a connection is.
    func watch(_ connection: SQLiteConnection, _ text: String) {
        report(text)
        connection.interrupt(unless: {
            self.report(text)
            return true
        })
    }
}
