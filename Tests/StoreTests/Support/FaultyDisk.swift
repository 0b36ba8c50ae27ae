import CSQLite
import Glibc
import Synchronization

/// A disk that fails on demand: a layer over SQLite's file access. It passes everything on except the faulty operations
/// on files in the named directories.
enum FaultyDisk {
    enum Fault {
        /// Writes fail for lack of space.
        case full
        /// Writes fail because the quota is reached.
        case quota
        /// Reads of the database fail.
        case unreadable
        /// A sync fails.
        case sync
    }

    private struct Opened {
        let path: String
        let inner: sqlite3_io_methods
    }

    private struct State {
        var faults: [String: Fault] = [:]
        var opened: [UInt: Opened] = [:]
        var syncs: [String: Int] = [:]
        var writes: [String: Int] = [:]
        /// The layered functions for each kind of file, by the address of the original ones.
        var layered: [UInt: UInt] = [:]
    }

    private static let state = Mutex(State())

    /// Starts, or ends, a fault for the files in a directory.
    static func set(_ fault: Fault?, in directory: String) {
        install
        state.withLock { $0.faults[directory] = fault }
    }

    /// Returns how often files in a directory were synced since they were opened.
    static func syncs(in directory: String) -> Int { total(of: \.syncs, in: directory) }

    /// Returns how many calls have written to files in a directory.
    static func writes(in directory: String) -> Int { total(of: \.writes, in: directory) }

    private static func total(of counts: KeyPath<State, [String: Int]>, in directory: String) -> Int {
        state.withLock { state in
            state[keyPath: counts].filter { $0.key.hasPrefix(directory + "/") }.reduce(0) { $0 + $1.value }
        }
    }

    private static func count(
        _ counts: WritableKeyPath<State, [String: Int]>, of file: UnsafeMutablePointer<sqlite3_file>?
    ) {
        state.withLock { state in
            if let opened = state.opened[UInt(bitPattern: file)] {
                state[keyPath: counts][opened.path, default: 0] += 1
            }
        }
    }

    private static func fault(of file: UnsafeMutablePointer<sqlite3_file>?) -> Fault? {
        state.withLock { state in
            guard let opened = state.opened[UInt(bitPattern: file)] else { return nil }
            return state.faults.first { opened.path.hasPrefix($0.key + "/") }?.value
        }
    }

    private static func inner(of file: UnsafeMutablePointer<sqlite3_file>?) -> sqlite3_io_methods {
        state.withLock { $0.opened[UInt(bitPattern: file)]!.inner }
    }

    // SAFETY: set once, before any use, and never freed.
    nonisolated(unsafe) private static let innerDisk = sqlite3_vfs_find(nil)!
    nonisolated(unsafe) private static let layer = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)

    /// Installs the layer as the default for the whole process. Open connections keep theirs.
    static let install: Void = {
        layer.initialize(to: innerDisk.pointee)
        layer.pointee.zName = UnsafePointer(strdup("faulty"))
        layer.pointee.pNext = nil
        layer.pointee.xOpen = { _, name, file, flags, outFlags in
            let code = innerDisk.pointee.xOpen(innerDisk, name, file, flags, outFlags)
            guard code == SQLITE_OK, let file, let name else { return code }
            layOver(file, String(cString: name))
            return code
        }
        sqlite3_vfs_register(layer, 1)
    }()

    private static func layOver(_ file: UnsafeMutablePointer<sqlite3_file>, _ path: String) {
        guard let inner = file.pointee.pMethods else { return }
        let layered = state.withLock { state in
            state.opened[UInt(bitPattern: file)] = Opened(path: path, inner: inner.pointee)
            if let known = state.layered[UInt(bitPattern: inner)] { return known }
            let new = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
            new.initialize(to: functions(over: inner.pointee))
            state.layered[UInt(bitPattern: inner)] = UInt(bitPattern: new)
            return UInt(bitPattern: new)
        }
        file.pointee.pMethods = UnsafePointer(bitPattern: layered)
    }

    private static func functions(over inner: sqlite3_io_methods) -> sqlite3_io_methods {
        var methods = inner
        methods.xWrite = { file, bytes, count, offset in
            FaultyDisk.count(\.writes, of: file)
            switch FaultyDisk.fault(of: file) {
            case .full: return SQLITE_FULL
            case .quota: return SQLITE_IOERR | 3 << 8
            default: return FaultyDisk.inner(of: file).xWrite(file, bytes, count, offset)
            }
        }
        methods.xRead = { file, bytes, count, offset in
            FaultyDisk.fault(of: file) == .unreadable
                ? SQLITE_IOERR | 1 << 8 : FaultyDisk.inner(of: file).xRead(file, bytes, count, offset)
        }
        methods.xSync = { file, flags in
            FaultyDisk.count(\.syncs, of: file)
            return FaultyDisk.fault(of: file) == .sync
                ? SQLITE_IOERR | 4 << 8 : FaultyDisk.inner(of: file).xSync(file, flags)
        }
        methods.xFileControl = { file, operation, argument in
            guard operation == SQLITE_FCNTL_LAST_ERRNO, FaultyDisk.fault(of: file) == .quota else {
                return FaultyDisk.inner(of: file).xFileControl(file, operation, argument)
            }
            argument?.storeBytes(of: EDQUOT, as: Int32.self)
            return SQLITE_OK
        }
        methods.xClose = { file in
            let inner = FaultyDisk.inner(of: file)
            FaultyDisk.state.withLock { _ = $0.opened.removeValue(forKey: UInt(bitPattern: file)) }
            return inner.xClose(file)
        }
        return methods
    }
}
