import Foundation
import Synchronization

/// How far a long command is: on a terminal only, on standard error.
final class ProgressBar: Sendable {
    private let total: Int
    private let isShown = isatty(2) == 1
    private let shown = Mutex(-1)

    init(total: Int) { self.total = max(total, 1) }

    /// Any thread; draws only when the percentage has changed.
    func show(_ done: Int) {
        guard isShown else { return }
        let percent = done * 100 / total
        shown.withLock { shown in
            guard percent > shown else { return }
            shown = percent
            let filled = String(repeating: "#", count: percent / 2) + String(repeating: ".", count: 50 - percent / 2)
            FileHandle.standardError.write(Data("\r[\(filled)] \(percent) %".utf8))
        }
    }

    /// Leaves the line free.
    func finish() {
        if isShown { FileHandle.standardError.write(Data("\r\u{1B}[K".utf8)) }
    }
}
