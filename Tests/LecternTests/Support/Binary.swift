import Foundation
import Glibc
import Outbound
import SharedByTests

/// The real program, built beside the tests.
final class Binary {
    static var path: String {
        let folder = (Bundle.main.executablePath ?? CommandLine.arguments[0]) as NSString
        var directory = folder.deletingLastPathComponent
        for _ in 0..<6 {
            let candidate = directory + "/lectern"
            if FileManager.default.isExecutableFile(atPath: candidate) { return candidate }
            directory = (directory as NSString).deletingLastPathComponent
        }
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        return root.path + "/.build/debug/lectern"
    }

    /// Runs a command to its end.
    static func run(_ arguments: [String]) throws -> (code: Int32, out: String, err: String) {
        let process = Process()
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        let (out, err) = (Pipe(), Pipe())
        process.standardOutput = out
        process.standardError = err
        try process.run()
        let text = out.fileHandleForReading.readDataToEndOfFile()
        let complaint = err.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (
            process.terminationStatus, String(decoding: text, as: UTF8.self), String(decoding: complaint, as: UTF8.self)
        )
    }

    /// The error of a program that ended instead of serving, with its output.
    struct NotServing: Error { let output: String }

    let process = Process()
    let port: Int

    /// Starts a server on a data directory, on a port that the system chose; returns when it serves.
    init(
        data: String, listen: String = "127.0.0.1:0",
        at place: Regex<(Substring, Substring)> = #/serving .* at http:\/\/127\.0\.0\.1:(\d+)\n/#,
        descriptors: Int? = nil, settings: [String] = []
    ) throws {
        process.executableURL = URL(filePath: descriptors == nil ? Self.path : "/bin/sh")
        process.arguments =
            (descriptors.map { ["-c", "ulimit -n \($0) && exec \"$0\" \"$@\"", Self.path] } ?? [])
            // A debug build on a busy machine cannot measure the time of a read. Rate limits have separate tests.
            + ["serve", "--listen", listen, "--data", data, "--read-timeout-ms", "0", "--token-rate-per-second", "0"]
            + ["--reader-rate-per-second", "0"] + settings
        process.standardOutput = FileHandle.nullDevice
        let log = Pipe()
        process.standardError = log
        try process.run()
        var output = ""
        while true {
            let bytes = log.fileHandleForReading.availableData
            guard !bytes.isEmpty else { throw NotServing(output: output) }
            output += String(decoding: bytes, as: UTF8.self)
            if let match = output.firstMatch(of: place) {
                port = Int(match.1)!
                return
            }
        }
    }

    /// Creates a data directory, and returns an administrator's token.
    static func newData(_ data: String) throws -> String {
        try DatabaseTemplate.newest.copy(into: data)
        let server = try Binary(data: data)
        defer { server.stop(with: SIGTERM) }
        return try run(["token", "create", "--name", "t", "--data", data]).out.trimmingCharacters(
            in: .whitespacesAndNewlines)
    }

    /// Sends a signal, waits for the end, and returns the exit code.
    @discardableResult
    func stop(with signal: Int32) -> Int32 {
        Glibc.kill(process.processIdentifier, signal)
        process.waitUntilExit()
        return process.terminationStatus
    }

    func kill() {
        Glibc.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    deinit { if process.isRunning { kill() } }
}
