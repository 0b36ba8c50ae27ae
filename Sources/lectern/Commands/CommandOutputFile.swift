import Glibc
import Store

/// The output of a command: standard output, or a file. The file gets its name only when it is complete and on disk,
/// and is readable for its owner only.
struct CommandOutputFile {
    private let file: (PartialFile, String)?

    /// Opens the output; `-` or `nil` is standard output.
    init(_ name: String?) throws {
        file = try name.flatMap { $0 == "-" ? nil : $0 }.map { (try PartialFile(for: $0), $0) }
    }

    func write(_ bytes: [UInt8]) throws {
        if let (file, _) = file { return try file.write(bytes.span.bytes) }
        guard bytes.withUnsafeBytes({ CompleteFileWrite.of($0, to: STDOUT_FILENO) }) else {
            throw CommandError.failed("standard output: \(String(cString: strerror(errno)))")
        }
    }

    /// Completes the output after the last write.
    func finish(replacing: Bool) throws {
        if let (file, name) = file { try file.finish(as: name, replacing: replacing) }
    }
}
