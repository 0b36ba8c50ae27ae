import Glibc
import Model
import Synchronization

/// The log of changed rows beside the backups, from which a backup is brought to any later second. The writer adds
/// records; the backup thread writes them to files, once a second.
///
/// A backup begins a file, of whose first moment it is a copy. Each file names the one before it and, at its end, the
/// one that follows, so a restore goes on from file to file. An error ends the log until the next backup begins another one.
final class RowLog: Sendable {
    private enum Item {
        case record(RowRecord)
        /// The following records belong to another file.
        case file(id: String)
    }

    private struct Queue {
        var items: [Item] = []
        /// The bytes of the waiting records.
        var bytes = 0
        var error: StoreError?
        /// The file that is to begin between two commits, and what the writer's thread then calls.
        var start: (id: String, run: @Sendable () -> Void)?
        /// The time of the last record or beginning of a file on disk, or `nil` if there is no log.
        var writtenUntil: Instant?
    }

    private let queue = Mutex(Queue())
    private let file = Mutex<RowLogFile?>(nil)
    private let records = Atomic(false)
    private let starts = Atomic(false)
    private let folder: BackupDirectory

    /// The bytes of records that may wait. A log that falls further behind ends.
    static let bytesMax = 256 << 20

    /// Creates the log of a directory.
    init(_ folder: BackupDirectory) { self.folder = folder }

    /// A Boolean value indicating whether the writer must record rows.
    var isOpen: Bool { records.load(ordering: .relaxed) }
    /// A Boolean value indicating whether a backup waits for the writer to begin its file.
    var isStarting: Bool { starts.load(ordering: .relaxed) }
    /// The time of the last record or beginning of a file on disk, or `nil` if there is no log.
    // Not in `file`, which is locked while a slow disk writes.
    var writtenUntil: Instant? { queue.withLock { $0.writtenUntil } }

    /// Continues the log of the process before, if it ended with the state `end` of the database's file; `nil` says that
    /// the last process did not end cleanly. Returns whether it does. The writer must record from the first write on.
    func resume(after end: String?) -> Bool {
        let last = DataDirectory.names(in: folder.path).compactMap(RowLogFile.id).max()
        guard let end, let last, let open = RowLogFile(last, in: folder, endingWith: end) else { return false }
        file.withLock { $0 = open }
        queue.withLock { $0.writtenUntil = .now }
        records.store(true, ordering: .relaxed)
        return true
    }

    /// Begins a file, and calls `run` on the writer's thread between two commits, at the moment at which it begins.
    /// Waits for that.
    func begin(_ id: String, run: @escaping @Sendable () -> Void) {
        let done = Semaphore()
        queue.withLock { queue in
            queue.start = (
                id,
                {
                    run()
                    done.signal()
                }
            )
        }
        starts.store(true, ordering: .relaxed)
        done.wait()
    }

    /// Begins the file for which a backup waits. Called by the writer, which records rows from here on.
    func beginFile() {
        starts.store(false, ordering: .relaxed)
        let start = queue.withLock { queue in
            defer { queue.start = nil }
            if let start = queue.start { queue.items.append(.file(id: start.id)) }
            return queue.start
        }
        records.store(true, ordering: .relaxed)
        start?.run()
    }

    /// Adds a record, or an error that prevents one.
    func add(_ record: Result<RowRecord, SQLiteError>) {
        queue.withLock { queue in
            switch record {
            case .success(let record):
                queue.items.append(.record(record))
                queue.bytes += record.changeset.count
            case .failure(let error): queue.error = .database("\(error.message) (SQLite error \(error.code))")
            }
        }
    }

    /// Writes the waiting records to disk.
    func write() throws(StoreError) {
        let waiting = queue.withLock { queue in
            defer { (queue.items, queue.bytes) = ([], 0) }
            return queue
        }
        if let error = waiting.error { throw error }
        guard waiting.bytes <= Self.bytesMax else {
            throw .file(path: folder.path, reason: "it is more than \(Self.bytesMax >> 20) MiB behind")
        }
        guard !waiting.items.isEmpty else { return }
        let until = try file.withLock { file in
            Result { () throws(StoreError) in
                var until: Instant?
                for item in waiting.items { until = try write(item, to: &file) ?? until }
                try file?.sync()
                return until
            }
        }.get()
        if let until { queue.withLock { $0.writtenUntil = until } }
    }

    /// Writes an item to the open file, or begins another one. Returns the time until which the log then goes.
    private func write(_ item: Item, to file: inout RowLogFile?) throws(StoreError) -> Instant? {
        switch item {
        case .file(let id):
            // The next file first: after a kill in between, it has no record and is not missed.
            let next = try RowLogFile(id, in: folder, after: file?.id, schema: DatabaseSchema.newest)
            file?.append(.next(id))
            try file?.sync()
            file = next
            return .now
        case .record(let record):
            // A record from before the end of a log belongs to no file.
            guard file != nil else { return nil }
            file?.append(record)
            return record.time
        }
    }

    /// Ends the log after an error.
    func end() {
        records.store(false, ordering: .relaxed)
        queue.withLock { $0 = Queue(start: $0.start) }
        file.withLock { $0 = nil }
    }

    /// Writes the last records and, after a clean end, the state of the database's file, with which the next process
    /// continues.
    func close(at end: String?) throws(StoreError) {
        try write()
        guard let end else { return }
        try file.withLock { file in
            Result { () throws(StoreError) in
                file?.append(.end(end))
                try file?.sync()
            }
        }.get()
    }

    /// Removes the files whose records are all older than the oldest backup.
    func prune(before id: String) {
        for name in DataDirectory.names(in: folder.path) {
            // A file that cannot be removed is tried again after the next backup.
            if let found = RowLogFile.id(of: name), found < id { unlink(folder.path(of: name)) }
        }
    }
}
