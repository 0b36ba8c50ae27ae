/// All connections of a loop, in chunks that never move. A pointer to a connection is valid as long as the table.
///
/// SAFETY of the pointers: chunks are allocated whole and initialised, and freed only with the table. The table is used
/// on the loop's thread alone. A slot's memory is reused; `generation` and `exchange` detect that.
struct ConnectionTable: ~Copyable {
    private static var chunkSize: Int { 256 }

    private let chunks: UnsafeMutablePointer<ConnectionPointer>
    private let chunksMax: Int
    private var chunkCount = 0
    private var firstFree: Int32 = -1

    init(connectionsMax: Int) {
        chunksMax = (connectionsMax + Self.chunkSize - 1) / Self.chunkSize + 1
        chunks = .allocate(capacity: chunksMax)
    }

    deinit {
        for chunk in 0..<chunkCount {
            chunks[chunk].deinitialize(count: Self.chunkSize)
            chunks[chunk].deallocate()
        }
        chunks.deallocate()
    }

    /// The number of slots, including free ones.
    var slotCount: Int { chunkCount * Self.chunkSize }

    /// The connection in a slot; the slot must be below `slotCount`.
    @inline(__always)
    subscript(slot: Int) -> ConnectionPointer {
        chunks[slot / Self.chunkSize] + slot % Self.chunkSize
    }

    /// Returns the connection of a free slot, or `nil` if the table is full.
    mutating func take() -> ConnectionPointer? {
        if firstFree < 0, !grow() { return nil }
        let connection = self[Int(firstFree)]
        firstFree = connection.pointee.nextFree
        return connection
    }

    mutating func release(_ connection: ConnectionPointer) {
        connection.pointee.nextFree = firstFree
        firstFree = Int32(connection.pointee.slot)
    }

    private mutating func grow() -> Bool {
        if chunkCount == chunksMax { return false }
        let chunk = ConnectionPointer.allocate(capacity: Self.chunkSize)
        for index in 0..<Self.chunkSize {
            let slot = chunkCount * Self.chunkSize + index
            (chunk + index).initialize(to: HTTPConnection(slot: UInt32(slot)))
            chunk[index].nextFree = index + 1 < Self.chunkSize ? Int32(slot + 1) : -1
        }
        chunks[chunkCount] = chunk
        firstFree = Int32(chunkCount * Self.chunkSize)
        chunkCount += 1
        return true
    }
}
