import Glibc
import Store

/// `lectern restore FILE`: creates a data directory from a backup.
func restore(_ arguments: CommandLineArguments) throws {
    let (file, directory) = (arguments.operands[0], arguments.directory)
    let keepsTokens = try arguments.isOn(.keepTokens)
    let restored = try BackupRestoration(file == "-" ? "/dev/stdin" : file, into: directory, keepsTokens: keepsTokens)
        .run()
    print(
        "\(directory) has \(file == "-" ? "the backup from standard input" : file) now, up to change \(restored.seq). Clients that watch must reload."
    )
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
