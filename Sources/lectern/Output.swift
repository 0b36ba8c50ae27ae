import Glibc
import Store

/// Where a command writes what was asked for: a file, which has its name only once it is whole and on disk, and is its owner's only; or
/// standard output.
struct Output {
    private let file: PartFile?

    /// `-`, or no name, is standard output.
    init(_ name: String?) throws {
        file = try name.flatMap { $0 == "-" ? nil : $0 }.map { name throws(StoreError) in try PartFile(name) }
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws {
        if let file { return try file.write(bytes) }
        guard WholeWrite.of(bytes, to: STDOUT_FILENO) else {
            throw Failure(description: "standard output: \(String(cString: strerror(errno)))")
        }
    }

    func write(_ bytes: [UInt8]) throws { try bytes.withUnsafeBytes { try write($0) } }

    /// All is written.
    func finish(replacing: Bool) throws { try file?.finish(replacing: replacing) }
}
