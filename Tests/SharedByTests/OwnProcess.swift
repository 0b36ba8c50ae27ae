import Foundation
package import Testing

/// A suite that runs in a separate process. The main actor uses the threads on which tests run (libdispatch on Linux).
/// While other tests block these threads, its code cannot run.
package struct OwnProcess: SuiteTrait, TestScoping {
    private static let variable = "LECTERN_TESTS_OWN_PROCESS"

    /// The pattern for `--filter`.
    let pattern: String

    package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        guard ProcessInfo.processInfo.environment[Self.variable] == nil else { return try await function() }
        let (code, given) = await withCheckedContinuation { continuation in
            Thread { continuation.resume(returning: Self.run(pattern)) }.start()
        }
        if code != 0 {
            let lines = given.split(separator: "\n").filter {
                $0.contains("recorded an issue") || $0.contains("error:")
            }
            Issue.record("\(lines.isEmpty ? given : lines.joined(separator: "\n"))")
        }
    }

    private static func run(_ pattern: String) -> (Int32, String) {
        do {
            let process = Process()
            process.executableURL = URL(
                filePath: try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
            process.arguments = ["--testing-library", "swift-testing", "--filter", pattern]
            process.environment = ProcessInfo.processInfo.environment.merging([variable: "yes"]) { $1 }
            let out = Pipe()
            process.standardOutput = out
            process.standardError = out
            try process.run()
            let given = String(decoding: out.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            return (process.terminationStatus, given)
        } catch { return (1, "\(error)") }
    }
}

extension Trait where Self == OwnProcess {
    /// Runs the tests that the pattern names in a separate process.
    package static func ownProcess(_ pattern: String) -> OwnProcess { OwnProcess(pattern: pattern) }
}
