import Synchronization

/// Numbers in a row, each of which one thread writes and any may read: what has been counted, and levels that are set.
package final class Tallies: @unchecked Sendable {
    // SAFETY: allocated with it and freed with it; each cell is atomic, and `count` of them are initialised.
    private let cells: UnsafeMutablePointer<Atomic<Int>>
    package let count: Int

    /// So many zeros.
    package init(count: Int) {
        self.count = count
        cells = .allocate(capacity: count)
        for index in 0..<count { (cells + index).initialize(to: Atomic(0)) }
    }

    deinit {
        cells.deinitialize(count: count)
        cells.deallocate()
    }

    package subscript(index: Int) -> Int {
        precondition(index >= 0 && index < count)
        return cells[index].load(ordering: .relaxed)
    }

    /// Counts; on the thread that writes this number. Nobody else does, so reading and writing need not be one step.
    package func add(_ index: Int, _ amount: Int = 1) {
        precondition(index >= 0 && index < count)
        cells[index].store(cells[index].load(ordering: .relaxed) &+ amount, ordering: .relaxed)
    }

    /// Sets a level.
    package func set(_ index: Int, _ level: Int) {
        precondition(index >= 0 && index < count)
        cells[index].store(level, ordering: .relaxed)
    }
}
