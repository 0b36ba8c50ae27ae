/// All connections of a loop, in one block that never moves. A pointer to a connection is valid as long as the table.
/// Slots that were never used take no physical memory.
///
/// SAFETY of the pointers: the first `slotCount` slots are initialised, and freed only with the table. The table is used
/// on the loop's thread alone. A slot's memory is reused; `generation` and `exchange` detect that.
struct ConnectionTable: ~Copyable {
    private let slots: ConnectionPointer
    private let slotsMax: Int
    /// The number of slots that were used, including free ones.
    private(set) var slotCount = 0
    private var firstFree: Int32 = -1

    /// Creates a table for the maximum number of connections, and some more for reserved ones.
    init(connectionsMax: Int) {
        slotsMax = connectionsMax + 256
        slots = .allocate(capacity: slotsMax)
    }

    deinit {
        slots.deinitialize(count: slotCount)
        slots.deallocate()
    }

    /// The connection in a slot; the slot must be below `slotCount`.
    @inline(__always)
    subscript(slot: Int) -> ConnectionPointer { slots + slot }

    /// Returns the connection of a free slot, or `nil` if the table is full.
    mutating func take() -> ConnectionPointer? {
        if firstFree >= 0 {
            let connection = self[Int(firstFree)]
            firstFree = connection.pointee.nextFree
            return connection
        }
        if slotCount == slotsMax { return nil }
        let connection = self[slotCount]
        connection.initialize(to: HTTPConnection(slot: UInt32(slotCount)))
        slotCount += 1
        return connection
    }

    mutating func release(_ connection: ConnectionPointer) {
        connection.pointee.nextFree = firstFree
        firstFree = Int32(connection.pointee.slot)
    }
}
