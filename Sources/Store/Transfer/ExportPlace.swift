import Model
import Synchronization

/// A reader's place among the exports: from when one is begun until its file is fetched, or nobody wants it any more.
final class ExportPlace: Sendable {
    private let exports: Exports
    private let reader: Int64
    private let isLeft = Atomic(false)

    init(_ exports: Exports, _ reader: Int64) { (self.exports, self.reader) = (exports, reader) }

    /// Gives the place to another, once.
    func leave() {
        if !isLeft.exchange(true, ordering: .relaxed) { exports.leave(reader) }
    }

    deinit { leave() }
}
