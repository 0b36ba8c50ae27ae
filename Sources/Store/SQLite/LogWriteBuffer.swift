import CSQLite

/// A buffer in front of the write-ahead log's file, which holds the frames of a commit until they are synced. SQLite
/// writes each frame with two calls; the buffer writes about thirty frames with one.
///
/// It is safe only while each commit is synced (`synchronous = FULL`): SQLite shows frames to other connections after
/// the sync, so they never read a frame that is only here. Confined to the thread of the connection that writes.
struct LogWriteBuffer {
    // The first field: the file's pointer to its methods is the pointer to the buffer.
    private var methods: sqlite3_io_methods
    private let inner: UnsafePointer<sqlite3_io_methods>
    private let bytes = UnsafeMutableRawPointer.allocate(byteCount: Self.capacity, alignment: 16)
    private var start: Int64 = 0
    private var count: Int32 = 0

    /// The most that SQLite's `unixWrite` writes with one call.
    private static let capacity = (1 << 17) - 1

    private typealias File = UnsafeMutablePointer<sqlite3_file>?

    /// Adds a buffer to the open log of a connection.
    static func install(in connection: SQLiteConnection) {
        guard let file = lectern_sqlite3_log(connection.handle), let inner = file.pointee.pMethods else { return }
        let buffer = UnsafeMutablePointer<Self>.allocate(capacity: 1)
        buffer.initialize(to: Self(over: inner))
        file.pointee.pMethods = UnsafeRawPointer(buffer).assumingMemoryBound(to: sqlite3_io_methods.self)
    }

    private init(over inner: UnsafePointer<sqlite3_io_methods>) {
        self.inner = inner
        methods = inner.pointee
        // Without shared and mapped memory, which only the database's file has.
        methods.iVersion = 1
        methods.xWrite = { file, bytes, count, offset in
            LogWriteBuffer.of(file).pointee.write(bytes, count, offset, to: file)
        }
        methods.xRead = { file, bytes, count, offset in
            LogWriteBuffer.flushed(file) { $0.xRead(file, bytes, count, offset) }
        }
        methods.xTruncate = { file, size in LogWriteBuffer.flushed(file) { $0.xTruncate(file, size) } }
        methods.xSync = { file, flags in LogWriteBuffer.flushed(file) { $0.xSync(file, flags) } }
        methods.xFileSize = { file, size in LogWriteBuffer.flushed(file) { $0.xFileSize(file, size) } }
        methods.xClose = { file in
            let buffer = LogWriteBuffer.of(file)
            // All commits are synced: what is left belongs to a transaction that was rolled back.
            let code = buffer.pointee.inner.pointee.xClose(file)
            buffer.pointee.bytes.deallocate()
            buffer.deallocate()
            return code
        }
    }

    private static func of(_ file: File) -> UnsafeMutablePointer<Self> {
        UnsafeMutableRawPointer(mutating: file!.pointee.pMethods!).assumingMemoryBound(to: Self.self)
    }

    private static func flushed(_ file: File, _ body: (sqlite3_io_methods) -> Int32) -> Int32 {
        let buffer = of(file)
        let code = buffer.pointee.flush(to: file)
        return code == SQLITE_OK ? body(buffer.pointee.inner.pointee) : code
    }

    private mutating func write(_ new: UnsafeRawPointer?, _ size: Int32, _ offset: Int64, to file: File) -> Int32 {
        if offset != start + Int64(count) || Int(count) + Int(size) > Self.capacity {
            let code = flush(to: file)
            guard code == SQLITE_OK else { return code }
            start = offset
        }
        guard let new, size <= Self.capacity else { return inner.pointee.xWrite(file, new, size, offset) }
        (bytes + Int(count)).copyMemory(from: new, byteCount: Int(size))
        count += size
        return SQLITE_OK
    }

    /// Writes the held bytes. After an error they are discarded, because SQLite rolls their transaction back.
    private mutating func flush(to file: File) -> Int32 {
        guard count > 0 else { return SQLITE_OK }
        defer { count = 0 }
        return inner.pointee.xWrite(file, bytes, count, start)
    }
}
