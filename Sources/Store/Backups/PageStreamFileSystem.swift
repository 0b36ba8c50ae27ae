import CSQLite
import Glibc
import Synchronization

/// An SQLite VFS whose files are page streams, so that a copy into one needs no disk space.
enum PageStreamFileSystem {
    private static let name = "lectern-pages"

    /// An open file in SQLite's layout.
    private struct File {
        var base: sqlite3_file
        var stream: Unmanaged<PageRecordStream>?
    }

    /// The streams that are being opened, by the paths that SQLite gets.
    private static let opening = Mutex<(count: Int, streams: [String: PageRecordStream])>((0, [:]))

    /// Returns a connection to an empty database whose pages go to a stream.
    static func connect(to stream: PageRecordStream) throws(SQLiteError) -> Connection {
        install
        let path = opening.withLock { state in
            state.count += 1
            let path = "/\(state.count)"
            state.streams[path] = stream
            return path
        }
        defer { opening.withLock { $0.streams[path] = nil } }
        return try Connection(
            path: "file:\(path)?vfs=\(name)", flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_URI)
    }

    private static func stream(_ file: UnsafeMutablePointer<sqlite3_file>?) -> PageRecordStream? {
        // SAFETY: SQLite passes the file that `open` initialized, which has space for a `File`.
        UnsafeMutableRawPointer(file)?.assumingMemoryBound(to: File.self).pointee.stream?.takeUnretainedValue()
    }

    private static func open(_ name: UnsafePointer<CChar>?, _ file: UnsafeMutablePointer<sqlite3_file>?) -> Int32 {
        guard let file, let name else { return SQLITE_CANTOPEN }
        file.pointee.pMethods = nil
        guard let stream = opening.withLock({ $0.streams[String(cString: name)] }) else { return SQLITE_CANTOPEN }
        // SAFETY: SQLite allocates `szOsFile` bytes for each file. `close` releases the stream.
        UnsafeMutableRawPointer(file).initializeMemory(
            as: File.self, to: File(base: sqlite3_file(pMethods: UnsafePointer(methods)), stream: .passRetained(stream))
        )
        return SQLITE_OK
    }

    private static func close(_ file: UnsafeMutablePointer<sqlite3_file>?) -> Int32 {
        let held = UnsafeMutableRawPointer(file)?.assumingMemoryBound(to: File.self)
        held?.pointee.stream?.release()
        held?.pointee.stream = nil
        return SQLITE_OK
    }

    // SAFETY: both are set once, before SQLite uses them, and never freed.
    nonisolated(unsafe) private static let disk = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
    nonisolated(unsafe) private static let methods: UnsafeMutablePointer<sqlite3_io_methods> = {
        var methods = sqlite3_io_methods()
        methods.iVersion = 1
        methods.xClose = { PageStreamFileSystem.close($0) }
        methods.xRead = { file, bytes, count, offset in
            guard let stream = PageStreamFileSystem.stream(file) else { return SQLITE_IOERR }
            return stream.read(into: UnsafeMutableRawBufferPointer(start: bytes, count: Int(count)), at: offset)
        }
        methods.xWrite = { file, bytes, count, offset in
            guard let stream = PageStreamFileSystem.stream(file) else { return SQLITE_IOERR }
            return stream.write(UnsafeRawBufferPointer(start: bytes, count: Int(count)), at: offset)
        }
        // The end record contains the number of pages.
        methods.xTruncate = { _, _ in SQLITE_OK }
        methods.xSync = { _, _ in SQLITE_OK }
        methods.xFileSize = { file, size in
            size?.pointee = PageStreamFileSystem.stream(file)?.extent ?? 0
            return SQLITE_OK
        }
        methods.xLock = { _, _ in SQLITE_OK }
        methods.xUnlock = { _, _ in SQLITE_OK }
        methods.xCheckReservedLock = { _, isReserved in
            isReserved?.pointee = 0
            return SQLITE_OK
        }
        methods.xFileControl = { _, _, _ in SQLITE_NOTFOUND }
        methods.xSectorSize = { _ in 4096 }
        methods.xDeviceCharacteristics = { _ in 0 }
        let pointer = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
        pointer.initialize(to: methods)
        return pointer
    }()

    /// Registers the VFS beside SQLite's own, whose clock and random numbers it uses.
    private static let install: Void = {
        guard let own = sqlite3_vfs_find("unix") else { return }
        disk.initialize(to: own.pointee)
        disk.pointee.szOsFile = Int32(MemoryLayout<File>.size)
        disk.pointee.zName = UnsafePointer(strdup(name))
        disk.pointee.pNext = nil
        disk.pointee.xOpen = { _, name, file, flags, outFlags in
            outFlags?.pointee = flags
            return PageStreamFileSystem.open(name, file)
        }
        disk.pointee.xDelete = { _, _, _ in SQLITE_OK }
        disk.pointee.xAccess = { _, _, _, isThere in
            isThere?.pointee = 0
            return SQLITE_OK
        }
        disk.pointee.xFullPathname = { _, name, count, path in
            guard let name, let path, strlen(name) < Int(count) else { return SQLITE_CANTOPEN }
            strcpy(path, name)
            return SQLITE_OK
        }
        // It fails only without memory. Opening a connection then fails because the name is unknown.
        sqlite3_vfs_register(disk, 0)
    }()
}
