import Glibc
import Store

/// The output of a command: standard output, or a file. The file gets its name only when it is complete and on disk,
/// and is readable for its owner only.
struct CommandOutputFile {
    private let file: PartialFile?

    /// Opens the output; `-` or `nil` is standard output.
    init(_ name: String?) throws {
        file = try name.flatMap { $0 == "-" ? nil : $0 }.map { name throws(StoreError) in try PartialFile(name) }
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws {
        if let file { return try file.write(bytes) }
        guard CompleteFileWrite.of(bytes, to: STDOUT_FILENO) else {
            throw CommandFailure(description: "standard output: \(String(cString: strerror(errno)))")
        }
    }

    func write(_ bytes: [UInt8]) throws { try bytes.withUnsafeBytes { try write($0) } }

    /// Completes the output after the last write.
    func finish(replacing: Bool) throws { try file?.finish(replacing: replacing) }
}
