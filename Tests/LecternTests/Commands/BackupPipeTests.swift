import Foundation
import SharedByTests
import Testing

@Suite("Backups through pipes")
struct BackupPipeTests {
    /// Runs a pipeline in bash, and returns its exit code, which is not 0 if any of its programs fails.
    private func run(_ pipeline: String) throws -> Int32 {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/bash")
        process.arguments = ["-o", "pipefail", "-c", pipeline]
        process.environment = ["PATH": "/usr/bin:/bin", "LECTERN": Binary.path]
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus
    }

    @Test("A backup of a running server that went through a filter is restored, and half of one is refused")
    func filter() throws {
        let place = TestDirectory.memory.path("pipe")
        defer { try? FileManager.default.removeItem(atPath: place) }
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        let (data, file) = (place + "/data", place + "/copy.gz")
        let token = try Binary.newData(data)
        let server = try Binary(data: data)
        let head = { try Client(port: server.port, token: token).head() }
        _ = try Client(port: server.port, token: token).setUp()
        let before = try head()
        #expect(try run("\"$LECTERN\" backup - --data '\(data)' | gzip > '\(file)'") == 0)
        #expect(try head() == before)
        server.kill()
        #expect(try run("gunzip -c '\(file)' | \"$LECTERN\" restore - --data '\(place)/new' --keep-tokens") == 0)
        let restored = try Binary(data: place + "/new")
        let seq = { (cursor: String) in cursor.split(separator: "-").last }
        #expect(try seq(Client(port: restored.port, token: token).head()) == seq(before))
        restored.kill()
        #expect(
            try run("gunzip -c '\(file)' | head -c 100000 | \"$LECTERN\" restore - --data '\(place)/half'") != 0)
        #expect(!FileManager.default.fileExists(atPath: place + "/half"))
        #expect(try run("\"$LECTERN\" backup - --data '\(place)/missing' | gzip > '\(file)'") != 0)
    }
}
