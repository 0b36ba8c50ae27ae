import API
import FoundationEssentials
import Glibc
import JSON
import LecternClient
import Outbound
import Store

/// A command's connection to the service: a server at a URL, the one that runs on the data directory, or one that runs
/// in this process as long as the command does.
final class ServiceClient {
    private let client: LecternClient
    private let local: Service?

    /// Connects to the service. Refuses a data directory without a database, unless `creates` is `true`.
    init(_ arguments: CommandLineArguments, creates: Bool = false) throws {
        if let remote = try arguments.remoteClient() {
            (client, local) = (remote, nil)
            return
        }
        let path = arguments.socketPath
        client = try LecternClient("http://localhost", token: nil, socketPath: path)
        local = try Self.answers(path) ? nil : Self.start(arguments.directory, path, creates)
    }

    /// Connects to the server at a socket, with a token, or as the first administrator.
    init(socketPath: String, token: String?) throws(LecternClientError) {
        (client, local) = (try LecternClient("http://localhost", token: token, socketPath: socketPath), nil)
    }

    /// A Boolean value indicating whether the client uses a server, and not a service in this process.
    var hasServer: Bool { local == nil }

    deinit {
        local?.drain(deadlineSeconds: 1)
        local?.wait()
    }

    /// Sends a request whose response is passed on piece by piece, without a timeout. Throws a problem.
    func download(_ path: String, to take: ([UInt8]) throws -> Void) throws {
        let download = try waiting { [client] in try await client.download(path) }
        while let bytes = try waiting({ try await download.next() }) { try take(bytes) }
    }

    /// Sends a request and returns the response's JSON. Throws a problem.
    func send(_ method: String, _ path: String, body: [UInt8]? = nil) throws -> JSONValue? {
        let answer = try waiting { [client] in try await client.send(method, path, body: body) }
        return answer.body.isEmpty ? nil : try answer.json()
    }

    /// Sends a request, and retries for a minute while the server is overloaded or limits the rate.
    func sendPatiently(_ method: String, _ path: String, body: [UInt8]? = nil) throws -> JSONValue? {
        for _ in 0..<60 {
            do {
                return try send(method, path, body: body)
            } catch LecternClientError.refused(let problem) where [429, 503].contains(problem.status) {
                sleep(1)
            }
        }
        return try send(method, path, body: body)
    }

    /// Reads a text. Throws a problem.
    func text(_ path: String) throws -> String {
        var text: [UInt8] = []
        try download(path) { text += $0 }
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns whether a server runs on the directory. A server that is too busy to answer throws an error.
    private static func answers(_ path: String) throws -> Bool {
        guard FileManager.default.fileExists(atPath: path) else { return false }
        let response: HTTPClientResponse?
        do { response = try health(at: path, secondsMax: 5) } catch { throw silent("\(error)") }
        guard let response else { return false }
        guard response.status == 200 else { throw silent("the server returned the status \(response.status)") }
        return true
    }

    /// Asks the server at a socket for its health. Returns `nil` if nothing listens there.
    static func health(at path: String, secondsMax: Int) throws -> HTTPClientResponse? {
        let transport = try HTTPTransport(socketPath: path)
        do {
            return try waiting {
                try await transport.send(HTTPRequest("GET", "http://localhost/healthz"), secondsMax: secondsMax)
            }
        } catch let error as HTTPClientError where error.isRefused { return nil }
    }

    private static func silent(_ why: String) -> CommandError {
        CommandError.failed("A server runs on this data directory, but does not respond: \(why)")
    }

    /// Returns the failure for a data directory that another process has locked while nothing listens on its socket.
    static func notListening(_ pid: Int32?, _ path: String) -> CommandError {
        CommandError.failed(
            "A server or another command\(pid.map { " (process \($0))" } ?? "") uses this data directory, but nothing responds at "
                + "\(path). A server may be starting or stopping. If its socket was deleted, restart the server.")
    }

    private static func start(_ directory: String, _ path: String, _ creates: Bool) throws -> Service {
        var configuration = Service.Configuration(directory: directory)
        configuration.creates = creates
        configuration.logLevel = .error
        configuration.loops = 1
        let service: Service
        do { service = try Service(configuration) } catch StoreError.inUse(_, let pid) {
            throw notListening(pid, path)
        }
        try service.listen(unix: path)
        try service.start()
        if service.isNew { printError("\(directory) is a new data directory.") }
        return service
    }
}

extension CommandLineArguments {
    /// Returns a client of the server at `--server`, or `nil` without it.
    func remoteClient() throws -> LecternClient? {
        guard let url = self[.server] else { return nil }
        guard let token = self[.token] else { throw CommandError.misused("--server needs a --token.") }
        return try LecternClient(url, token: token)
    }
}
