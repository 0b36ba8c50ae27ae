import Foundation

/// The built server on a fresh database, or one that is there already.
final class Server {
    let port: UInt16
    let token: String
    private let process: Process?
    private let directory: String?

    /// Starts the `lectern` beside this program; `cpus` is a list as taskset takes it.
    init(cpus: String?) throws {
        let own = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        let binary = own.appending(path: "lectern").path
        let directory = NSTemporaryDirectory() + "lectern-bench-\(UUID().uuidString)"
        port = 18_088
        let process = Process()
        let words = [binary, "serve", "--listen", "127.0.0.1:\(port)", "--data", directory, "--log-level", "error"]
        process.executableURL = URL(filePath: cpus == nil ? binary : "/usr/bin/taskset")
        process.arguments = cpus.map { ["-c", $0] + words } ?? Array(words.dropFirst())
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        while Connection(port: port) == nil { usleep(10_000) }
        let create = Process()
        create.executableURL = URL(filePath: binary)
        create.arguments = ["token", "create", "--name", "bench", "--data", directory]
        let pipe = Pipe()
        create.standardOutput = pipe
        try create.run()
        token = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        self.process = process
        self.directory = directory
    }

    /// A server on this machine that runs already.
    init(port: UInt16, token: String) {
        self.port = port
        self.token = token
        process = nil
        directory = nil
    }

    deinit {
        process?.terminate()
        process?.waitUntilExit()
        if let directory { try? FileManager.default.removeItem(atPath: directory) }
    }

    /// The server's proportional memory, in bytes; 0 when it is not ours.
    func memory() -> Int {
        guard let process, let text = try? String(contentsOfFile: "/proc/\(process.processIdentifier)/smaps_rollup", encoding: .utf8),
            let line = text.split(separator: "\n").first(where: { $0.hasPrefix("Pss:") })
        else { return 0 }
        return (Int(line.split(separator: " ")[1]) ?? 0) * 1024
    }

    /// The bytes of a request.
    func request(_ method: String, _ path: String, _ body: String = "", fields: String = "") -> [UInt8] {
        let length = body.isEmpty ? "" : "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n"
        return Array("\(method) \(path) HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer \(token)\r\n\(fields)\(length)\r\n\(body)".utf8)
    }
}
