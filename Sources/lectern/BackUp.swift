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
            let (copied, descriptor) = try Store.backUp(directory: directory)
            defer { close(descriptor) }
            try say(descriptor)
            return (copied.bytes, copied.seq)
        } catch StoreError.inUse {}
    }
    return try BackupFetch(ServiceClient(arguments)).run(Output(file))
}

/// Writes a file to standard output.
private func say(_ descriptor: Int32) throws {
    let output = try Output("-")
    var bytes = [UInt8](repeating: 0, count: 1 << 18)
    while true {
        let count = read(descriptor, &bytes, bytes.count)
        if count < 0, errno == EINTR { continue }
        guard count >= 0 else {
            throw Failure(description: "The copy cannot be read: \(String(cString: strerror(errno))).")
        }
        if count == 0 { return }
        try bytes.withUnsafeBytes { try output.write(UnsafeRawBufferPointer(rebasing: $0.prefix(count))) }
    }
}

/// A copy that the service makes to be fetched.
struct BackupFetch {
    private let client: ServiceClient
    private static let places = "/v1/admin/backups"

    init(_ client: ServiceClient) { self.client = client }

    /// Asks for one, waits for it, fetches it, and lets it go. Its length, and its last change.
    func run(_ output: Output) throws -> (bytes: Int64, seq: Int64) {
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
            try output.write(part)
            written += Int64(part.count)
            piece += 1
        }
        guard written == bytes else {
            throw Failure(description: "The backup has \(bytes) bytes, and \(written) came.")
        }
        try output.finish(replacing: false)
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
