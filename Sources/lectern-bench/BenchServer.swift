import Foundation

/// The built server on a fresh database, or a server that already runs.
final class BenchServer {
    /// The error of a server that ends before it responds; its own message is on standard error.
    struct Ended: Error, CustomStringConvertible {
        let description = "the server ended before it responded"
    }

    let port: UInt16
    private(set) var token = ""
    /// The started program, or `nil` for a server that this program did not start.
    private var process: Process?
    private let cpus: String?
    private let loops: String
    private let directory: String?
    /// A Boolean value indicating whether the server has its default rate limits. Otherwise they are too high to reach.
    private let hasRates: Bool

    /// Starts the `lectern` beside this program. `cpus` is a list for taskset, `loops` a value of the program's flag.
    init(cpus: String?, loops: String, hasRates: Bool = false, port: UInt16 = 18_088) throws {
        self.hasRates = hasRates
        self.cpus = cpus
        self.loops = loops
        let directory = NSTemporaryDirectory() + "lectern-bench-\(UUID().uuidString)"
        self.directory = directory
        self.port = port
        try start()
        while BenchConnection(port: port) == nil {
            guard process?.isRunning ?? false else { throw Ended() }
            usleep(10_000)
        }
        token = try Self.token(["--data", directory])
    }

    /// Creates a token for a reader with the command on the server's machine. Returns an empty text for a server that
    /// this program did not start.
    func token(ofReader id: String) throws -> String {
        guard let directory else { return "" }
        return try Self.token(["--reader", id, "--data", directory])
    }

    private static func token(_ more: [String]) throws -> String {
        let create = Process()
        create.executableURL = URL(filePath: binary)
        create.arguments = ["token", "create", "--name", "bench"] + more
        let pipe = Pipe()
        create.standardOutput = pipe
        try create.run()
        return String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self).trimmingCharacters(
            in: .whitespacesAndNewlines)
    }

    /// Uses a server on this machine that already runs.
    init(port: UInt16, token: String) {
        self.port = port
        self.token = token
        (cpus, loops, hasRates) = (nil, "0", true)
        directory = nil
    }

    deinit {
        stop()
        if let directory { try? FileManager.default.removeItem(atPath: directory) }
    }

    private static var binary: String {
        URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "lectern").path
    }

    /// A Boolean value indicating whether this program can stop and start the server.
    var isOurs: Bool { directory != nil }

    /// Starts the program, and does not wait until it responds.
    func start() throws {
        guard let directory else { return }
        let process = Process()
        var words = [
            Self.binary, "serve", "--listen", "127.0.0.1:\(port)", "--data", directory, "--log-level", "error",
            "--event-loops", loops,
        ]
        // Requests are counted all the same, which includes that cost in the measurement.
        let rates = ["token", "reader", "address"].flatMap { ["--\($0)-rate-per-second", "1000000000:1000000000"] }
        if !hasRates { words += rates }
        process.executableURL = URL(filePath: cpus == nil ? Self.binary : "/usr/bin/taskset")
        process.arguments = cpus.map { ["-c", $0] + words } ?? Array(words.dropFirst())
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        self.process = process
    }

    func stop() {
        process?.terminate()
        process?.waitUntilExit()
        process = nil
    }

    /// Returns the server's processor seconds, or 0 for a server that this program did not start.
    func processorSeconds() -> Double {
        guard let process,
            let text = try? String(contentsOfFile: "/proc/\(process.processIdentifier)/stat", encoding: .utf8)
        else { return 0 }
        let fields = text[(text.lastIndex(of: ")") ?? text.startIndex)...].split(separator: " ")
        return Double((Int(fields[12]) ?? 0) + (Int(fields[13]) ?? 0)) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    /// Returns the server's proportional memory in bytes, or 0 for a server that this program did not start.
    func memory() -> Int {
        guard let process,
            let text = try? String(contentsOfFile: "/proc/\(process.processIdentifier)/smaps_rollup", encoding: .utf8),
            let line = text.split(separator: "\n").first(where: { $0.hasPrefix("Pss:") })
        else { return 0 }
        return (Int(line.split(separator: " ")[1]) ?? 0) * 1024
    }

    /// Returns the bytes of a request, with the server's own token by default.
    func request(
        _ method: String, _ path: String, _ body: String = "", fields: String = "", as token: String? = nil
    ) -> [UInt8] {
        Self.request(method, path, body, fields: fields, as: token ?? self.token)
    }

    /// Returns the bytes of a request; callable from any thread.
    static func request(
        _ method: String, _ path: String, _ body: String = "", fields: String = "", as token: String
    ) -> [UInt8] {
        let length = body.isEmpty ? "" : "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n"
        return Array(
            "\(method) \(path) HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer \(token)\r\n\(fields)\(length)\r\n\(body)"
                .utf8)
    }
}
