import Glibc
import JSON
import Outbound
import Store

/// `lectern backup FILE`: by the service, where one runs, which hands the copy over in pieces; else of the directory itself. So it is
/// who calls that writes the file, with their rights and no others'.
func backUp(_ arguments: Arguments) throws -> Int32 {
    guard let file = arguments.operands.first else {
        throw Arguments.Misuse(message: "backup needs a FILE to write; - is standard output.")
    }
    let isStandardOutput = file == "-"
    guard isStandardOutput || access(file, F_OK) != 0 else {
        throw Failure(description: "\(file) is there already, and is not overwritten.")
    }
    let (bytes, seq) = try copied(to: file, isStandardOutput: isStandardOutput, arguments)
    complain("\(isStandardOutput ? "" : "\(file): ")\(bytes) bytes, up to change \(seq), verified.")
    return 0
}

private func copied(to file: String, isStandardOutput: Bool, _ arguments: Arguments) throws -> (Int64, Int64) {
    let directory = arguments[.data] ?? ""
    if arguments[.server] == nil {
        do {
            guard isStandardOutput else {
                let copied = try Store.backUp(directory: directory, to: file)
                return (copied.bytes, copied.seq)
            }
            let passing = directory + "/standard-output-\(getpid())"
            defer { unlink(passing) }
            let copied = try Store.backUp(directory: directory, to: passing)
            try say(passing)
            return (copied.bytes, copied.seq)
        } catch StoreError.inUse {}
    }
    let fetch = try BackupFetch(ServiceClient(arguments))
    return try fetch.run(isStandardOutput ? BackupTarget() : BackupTarget(path: file))
}

/// Writes a file to standard output.
private func say(_ path: String) throws {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 1 << 18)
    while true {
        let count = read(descriptor, &bytes, bytes.count)
        if count < 0, errno == EINTR { continue }
        guard count >= 0 else {
            throw Failure(description: "\(path) cannot be read: \(String(cString: strerror(errno))).")
        }
        if count == 0 { return }
        try BackupTarget().write(Array(bytes.prefix(count)))
    }
}

/// A copy that the service makes to be fetched.
struct BackupFetch {
    private let client: ServiceClient
    private static let places = "/v1/admin/backups"

    init(_ client: ServiceClient) { self.client = client }

    /// Asks for one, waits for it, fetches it, and lets it go. Its length, and its last change.
    func run(_ target: BackupTarget) throws -> (bytes: Int64, seq: Int64) {
        let asked = try client.send("POST", Self.places, body: Array(#"{"kind":"fetched"}"#.utf8))
        guard let id = asked?["id"]?.string else { throw Failure(description: "The server gave no backup.") }
        let place = "\(Self.places)/\(id)"
        let made = try wait(for: place)
        guard let bytes = made["bytes"]?.integer, let seq = made["seq"]?.integer else {
            throw Failure(description: "The server does not say how long the backup is.")
        }
        var written: Int64 = 0
        var piece = 0
        while written < bytes {
            let part = try client.bytes("\(place)/content?piece=\(piece)")
            guard !part.isEmpty else { break }
            try target.write(part)
            written += Int64(part.count)
            piece += 1
        }
        guard written == bytes else {
            throw Failure(description: "The backup has \(bytes) bytes, and \(written) came.")
        }
        try target.finish()
        // It goes by itself, too, a while later.
        do { _ = try client.send("DELETE", place) } catch { complain("\(error)") }
        return (bytes, seq)
    }

    private func wait(for place: String) throws -> JSONValue {
        while true {
            guard let backup = try client.send("GET", place) else { throw Failure(description: "The backup is gone.") }
            switch backup["state"]?.string {
            case "done": return backup
            case "failed": throw Failure(description: backup["reason"]?.string ?? "The backup failed.")
            default: usleep(100_000)
            }
        }
    }
}

/// What a fetched copy is written to: a file that has its name only when it is whole, and on disk; or standard output.
final class BackupTarget {
    private let descriptor: Int32
    private let path: String?
    private var isDone = false

    init() { (descriptor, path) = (STDOUT_FILENO, nil) }

    init(path: String) throws {
        self.path = path
        descriptor = open(path + ".part", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw Failure(description: "\(path).part: \(String(cString: strerror(errno)))")
        }
    }

    func write(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Failure(description: String(cString: strerror(errno))) }
            rest = rest.dropFirst(count)
        }
    }

    func finish() throws {
        guard let path else { return }
        guard fsync(descriptor) == 0, link(path + ".part", path) == 0 || rename(path + ".part", path) == 0 else {
            throw Failure(description: "\(path): \(String(cString: strerror(errno)))")
        }
        unlink(path + ".part")
        isDone = true
    }

    deinit {
        guard let path else { return }
        close(descriptor)
        if !isDone { unlink(path + ".part") }
    }
}
