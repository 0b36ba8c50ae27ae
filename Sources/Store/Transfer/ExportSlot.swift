import Model
import Synchronization

/// A reader's slot among the exports, from its start until its file is fetched or no longer needed.
final class ExportSlot: Sendable {
    private let exports: ExportsInProgress
    private let reader: Int64
    private let isLeft = Atomic(false)

    init(_ exports: ExportsInProgress, _ reader: Int64) { (self.exports, self.reader) = (exports, reader) }

    /// Releases the slot, once.
    func leave() {
        if !isLeft.exchange(true, ordering: .relaxed) { exports.leave(reader) }
    }

    deinit { leave() }
}
