import Synchronization

/// An array of counters and gauges. One thread writes each number, any thread reads it.
package final class CounterArray: @unchecked Sendable {
    // SAFETY: allocated with it and freed with it; each cell is atomic, and `count` of them are initialised.
    private let cells: UnsafeMutablePointer<Atomic<Int>>
    package let count: Int

    /// Creates `count` zeros.
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

    /// Increments a number. Only the thread that writes this number may call it, so the read and the write need not be
    /// one atomic step.
    package func add(_ index: Int, _ amount: Int = 1) {
        precondition(index >= 0 && index < count)
        cells[index].store(cells[index].load(ordering: .relaxed) &+ amount, ordering: .relaxed)
    }

    /// Sets a gauge.
    package func set(_ index: Int, _ level: Int) {
        precondition(index >= 0 && index < count)
        cells[index].store(level, ordering: .relaxed)
    }
}
