import Foundation
import Glibc
import Outbound

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
            .deletingLastPathComponent()
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

    let process = Process()
    let port: Int

    /// A server on a data directory; returns when it answers.
    init(data: String, port: Int) throws {
        self.port = port
        process.executableURL = URL(filePath: Self.path)
        process.arguments = ["serve", "--listen", "127.0.0.1:\(port)", "--data", data, "--log-level", "error"]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        let deadline = Date().addingTimeInterval(20)
        while (try? HTTPClient().send("GET", "http://127.0.0.1:\(port)/healthz"))?.status != 200 {
            guard Date() < deadline, process.isRunning else { throw CocoaError(.featureUnsupported) }
            usleep(10_000)
        }
    }

    func kill() {
        Glibc.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    deinit { if process.isRunning { kill() } }
}
