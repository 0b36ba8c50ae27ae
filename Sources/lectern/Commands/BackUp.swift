import Glibc
import JSON
import Outbound
import Store

/// `lectern backup FILE`: copies from the running server, which sends page records while it copies, or from the data
/// directory itself. This process writes the file at its destination, with the caller's rights. Nothing is staged on
/// the data disk.
func backUp(_ arguments: CommandLineArguments) throws -> Int32 {
    guard let file = arguments.operands.first else {
        throw CommandLineArguments.Misuse(message: "backup needs a FILE to write; - is standard output.")
    }
    let isStandardOutput = file == "-"
    guard isStandardOutput || access(file, F_OK) != 0 else {
        throw Failure(description: "\(file) exists, and is not overwritten.")
    }
    let copied = try isStandardOutput ? passOn(arguments) : copy(to: file, arguments)
    let place = isStandardOutput ? "" : "\(file): "
    let end = isStandardOutput ? "`lectern restore` checks it." : "verified."
    printError("\(place)\(copied.bytes) bytes, up to change \(copied.seq), \(end)")
    return 0
}

private func copy(to file: String, _ arguments: CommandLineArguments) throws -> Store.Copied {
    if arguments[.server] == nil {
        do throws(StoreError) {
            return try Store.backUp(directory: arguments[.data] ?? "", to: file)
        } catch {
            guard case .inUse = error else { throw error }
        }
    }
    let received = try ReceivedBackup(file)
    let fetch = BackupFetch(try ServiceClient(arguments))
    _ = try fetch.run { bytes in try received.take(bytes) }
    return try received.finish()
}

/// Writes the page records and their digest to standard output.
private func passOn(_ arguments: CommandLineArguments) throws -> Store.Copied {
    let output = try CommandOutputFile("-")
    var digest = BackupDigest()
    func take(_ bytes: [UInt8]) throws {
        bytes.withUnsafeBytes { digest.update($0) }
        try output.write(bytes)
    }
    let copied = try passOn(arguments, to: take)
    try output.write(digest.text)
    return copied
}

private func passOn(_ arguments: CommandLineArguments, to take: ([UInt8]) throws -> Void) throws -> Store.Copied {
    if arguments[.server] == nil {
        do { return try Store.backUp(directory: arguments[.data] ?? "", to: take) } catch StoreError.inUse {}
    }
    return try BackupFetch(ServiceClient(arguments)).run(take)
}

/// A backup that the server sends while it copies.
struct BackupFetch {
    private let client: ServiceClient
    private static let places = "/v1/admin/backups"

    init(_ client: ServiceClient) { self.client = client }

    /// Requests a backup, fetches it piece by piece, and deletes it on the server. Returns its change number and size.
    func run(_ take: ([UInt8]) throws -> Void) throws -> Store.Copied {
        let asked = try client.send("POST", Self.places, body: Array(#"{"kind":"fetched"}"#.utf8))
        guard let id = asked?["id"]?.string else { throw Failure(description: "The server sent no backup.") }
        let place = "\(Self.places)/\(id)"
        defer { end(place) }
        var piece = 0
        while true {
            switch try part(piece, of: place) {
            case .bytes(let bytes):
                try take(bytes)
                piece += 1
            case .notYet: usleep(10_000)
            case .end: return try copied(place)
            }
        }
    }

    private func part(_ number: Int, of place: String) throws -> BackupPiece {
        do {
            return try client.part("\(place)?piece=\(number)")
        } catch let failure as Failure where failure.status == 404 {
            throw Failure(description: try listed(place)?["reason"]?.string ?? "The backup no longer exists.")
        }
    }

    private func copied(_ place: String) throws -> Store.Copied {
        let made = try listed(place)
        guard let bytes = made?["bytes"]?.integer, let seq = made?["seq"]?.integer else {
            throw Failure(description: "The server's response has no length of the backup.")
        }
        return Store.Copied(seq: seq, bytes: bytes)
    }

    /// Returns the backup's entry in the server's list, with its progress and any failure.
    private func listed(_ place: String) throws -> JSONValue? {
        try client.send("GET", Self.places)?["items"]?.elements.first { $0["id"]?.string.map(place.hasSuffix) ?? false }
    }

    /// Deletes the backup on the server, which would also delete it itself a while later.
    private func end(_ place: String) {
        do { _ = try client.send("DELETE", place) } catch { printError("\(error)") }
    }
}
