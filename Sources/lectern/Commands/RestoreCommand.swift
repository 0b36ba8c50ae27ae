import Glibc
import Model
import Store

/// `lectern restore FILE`: creates a data directory from a backup.
func restore(_ arguments: CommandLineArguments) throws {
    let (file, directory) = (arguments.operands[0], arguments.directory)
    let keepsTokens = try arguments.isOn(.keepTokens)
    let until = try arguments[.until].map { text in
        guard let time = Instant(text) else {
            throw CommandError.misused("--until: \"\(text)\" is not a time such as 2026-11-29T17:05:01Z.")
        }
        return time
    }
    let restored = try BackupRestoration(
        file == "-" ? "/dev/stdin" : file, into: directory, keepsTokens: keepsTokens, until: until,
        progress: RestoreProgress(print: printError)
    ).run()
    print(
        "\(directory) has \(file == "-" ? "the backup from standard input" : file) now"
            + (restored.time.map { ", with the logged rows until \($0)" } ?? "")
            + ", up to change \(restored.seq). Clients that watch must reload.")
    if keepsTokens {
        print("Its tokens are valid, also those that were revoked after the backup.")
    } else {
        print("Its \(restored.tokens) tokens are not valid. Create one with `lectern token create --name NAME`.")
    }
}

/// `lectern compact`: returns the space of deleted rows to the file system.
func compact(_ arguments: CommandLineArguments) throws {
    // SQLite's temporary file has no name, and may be too large for the system's own directory.
    setenv("SQLITE_TMPDIR", arguments.directory, 1)
    let (before, after) = try Store.compact(directory: arguments.directory)
    print("\(arguments.directory): \(before) bytes before, \(after) now.")
}
