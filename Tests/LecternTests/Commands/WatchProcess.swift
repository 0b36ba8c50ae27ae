import Foundation
import Glibc
import JSON
import SharedByTests

/// A `lectern watch` process, and its output lines so far. Confined to one thread.
final class WatchProcess {
    private let process = Process()
    private let file: String
    private let errorLogLimiter: String
    private var offset: UInt64 = 0
    private var pending: [UInt8] = []
    private(set) var lines: [[UInt8]] = []

    init(_ arguments: [String]) throws {
        file = TestDirectory.memory.path("watch")
        errorLogLimiter = file + ".err"
        for path in [file, errorLogLimiter] { try Data().write(to: URL(filePath: path)) }
        process.executableURL = URL(filePath: Binary.path)
        process.arguments = ["watch"] + arguments
        process.standardOutput = FileHandle(forWritingAtPath: file)
        process.standardError = FileHandle(forWritingAtPath: errorLogLimiter)
        try process.run()
    }

    /// Reads new output, and returns whether there are at least `count` lines.
    func hasLines(_ count: Int) throws -> Bool {
        let handle = try FileHandle(forReadingFrom: URL(filePath: file))
        defer { try? handle.close() }
        try handle.seek(toOffset: offset)
        let bytes = try handle.readToEnd() ?? Data()
        offset += UInt64(bytes.count)
        pending += bytes
        var start = 0
        for end in pending.indices where pending[end] == UInt8(ascii: "\n") {
            lines.append(Array(pending[start..<end]))
            start = end + 1
        }
        pending.removeSubrange(..<start)
        return lines.count >= count
    }

    /// The text on standard error.
    var output: String { (try? String(contentsOfFile: errorLogLimiter, encoding: .utf8)) ?? "" }

    /// Sends a signal, or none, waits for the end, and returns the exit code.
    func end(_ signal: Int32 = 0) throws -> Int32 {
        kill(process.processIdentifier, signal)
        process.waitUntilExit()
        _ = try hasLines(0)
        return process.terminationStatus
    }

    deinit {
        if process.isRunning {
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
        for path in [file, errorLogLimiter] { try? FileManager.default.removeItem(atPath: path) }
    }
}
