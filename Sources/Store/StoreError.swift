/// Why a store cannot be opened or read. The text says what to do.
public enum StoreError: Error, Equatable, CustomStringConvertible {
    /// Another process uses the directory; its process id is given where it is known.
    case inUse(directory: String, pid: Int32?)
    /// The database was written by a newer version of the program.
    case tooNew(found: Int64, known: Int64)
    /// The database is damaged: the first findings.
    case damaged(directory: String, findings: [String])
    /// A file or directory cannot be used.
    case file(path: String, reason: String)
    /// SQLite refused something.
    case database(String)

    init(_ error: SQLiteError) { self = .database("SQLite error \(error.code): \(error.message)") }

    /// A sentence for the person who operates the service.
    public var description: String {
        switch self {
        case .inUse(let directory, let pid):
            "\(directory) is in use by another lectern\(pid.map { " (process \($0))" } ?? ""). Stop it, or choose another --data."
        case .tooNew(let found, let known):
            "The database has schema \(found); this lectern knows schemas up to \(known). Use a newer lectern."
        case .damaged(let directory, let findings):
            "The database in \(directory) is damaged: \(findings.joined(separator: "; ")). Keep the files, restore a backup, "
                + "or salvage with: sqlite3 \(directory)/lectern.sqlite .recover"
        case .file(let path, let reason): "\(path): \(reason)"
        case .database(let message): message
        }
    }
}
