import Glibc
import Store

/// `lectern backup FILE`: copies the database of a data directory, also while a server has it open. This process writes
/// the file at its destination, with the caller's rights.
func backUp(_ arguments: CommandLineArguments) throws {
    let (file, directory) = (arguments.operands[0], arguments.directory)
    guard file != "-" else {
        // A broken pipe is an error, after which the copy is removed, instead of the end of this process.
        signal(SIGPIPE, SIG_IGN)
        let copied = try Store.backUp(directory: directory) { bytes throws(StoreError) in
            guard CompleteFileWrite.of(bytes, to: STDOUT_FILENO) else {
                throw .file(path: "standard output", reason: String(cString: strerror(errno)))
            }
        }
        printError("\(copied.bytes) bytes, up to change \(copied.seq), verified.")
        return
    }
    guard access(file, F_OK) != 0 else { throw CommandError.failed("\(file) exists, and is not overwritten.") }
    guard access(file + ".part", F_OK) != 0 else {
        throw CommandError.failed(
            "\(file).part exists: another backup writes it, or was killed. In the latter case delete it first.")
    }
    let copied = try Store.backUp(directory: directory, to: file)
    printError("\(file): \(copied.bytes) bytes, up to change \(copied.seq), verified.")
}
