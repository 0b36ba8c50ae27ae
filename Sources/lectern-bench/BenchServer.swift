import Foundation

/// The `lectern` beside this program, on a fresh database.
final class BenchServer {
    /// The reason why there is nothing to measure.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    let port: UInt16 = 18_088
    /// The number of connections of a load.
    let connections: Int
    /// The administrator's token.
    private(set) var token = ""
    private var process: Process?
    private let directory = NSTemporaryDirectory() + "lectern-bench-\(UUID().uuidString)"

    init(connections: Int) throws {
        self.connections = connections
        try start()
        token = try createToken()
    }

    deinit {
        stop()
        try? FileManager.default.removeItem(atPath: directory)
    }

    private func createToken() throws -> String {
        let pipe = Pipe()
        let create = try Self.run(["token", "create", "--name", "bench", "--data", directory], output: pipe)
        let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        create.waitUntilExit()
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private static func run(_ words: [String], output: Any) throws -> Process {
        let process = Process()
        process.executableURL = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appending(path: "lectern")
        process.arguments = words
        process.standardOutput = output
        try process.run()
        return process
    }

    /// Starts the program, and waits until it responds. Its rate limits are too high to reach, but requests are counted
    /// all the same, which includes that cost in the measurement.
    func start() throws {
        let words =
            ["serve", "--listen", "127.0.0.1:\(port)", "--data", directory, "--log-level", "error"]
            + ["token", "reader", "address"].flatMap { ["--\($0)-rate-per-second", "1000000000:1000000000"] }
        let process = try Self.run(words, output: FileHandle.nullDevice)
        self.process = process
        while BenchConnection(port: port)?.exchange(request("GET", "/healthz")) != 200 {
            // Its own message is on standard error.
            guard process.isRunning else { throw Failure(description: "the server ended before it responded") }
            usleep(200)
        }
    }

    func stop() {
        process?.terminate()
        process?.waitUntilExit()
        process = nil
    }

    /// Returns the server's processor seconds.
    func processorSeconds() -> Double {
        let text = status("stat")
        let fields = text[(text.lastIndex(of: ")") ?? text.startIndex)...].split(separator: " ")
        return Double((Int(fields[12]) ?? 0) + (Int(fields[13]) ?? 0)) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    /// Returns the server's proportional memory in bytes.
    func memory() -> Int {
        let line = status("smaps_rollup").split(separator: "\n").first { $0.hasPrefix("Pss:") }
        return (line.flatMap { Int($0.split(separator: " ")[1]) } ?? 0) * 1024
    }

    private func status(_ name: String) -> String {
        (try? String(contentsOfFile: "/proc/\(process?.processIdentifier ?? 0)/\(name)", encoding: .utf8)) ?? ""
    }

    /// Returns the bytes of a request, with the administrator's token.
    func request(_ method: String, _ path: String, _ body: String = "", fields: String = "") -> [UInt8] {
        let length = body.isEmpty ? "" : "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n"
        let credentials = "Host: bench\r\nAuthorization: Bearer \(token)\r\n"
        return Array("\(method) \(path) HTTP/1.1\r\n\(credentials)\(fields)\(length)\r\n\(body)".utf8)
    }
}
