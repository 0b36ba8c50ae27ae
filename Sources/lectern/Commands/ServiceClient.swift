import API
import FoundationEssentials
import Glibc
import JSON
import Outbound
import Store

/// A command's connection to the service: a server at a URL, the one that runs on the data directory, or one that runs
/// in this process as long as the command does.
final class ServiceClient {
    private let base: String
    private let socketPath: String?
    private let token: String?
    private let local: Service?
    private let client: HTTPClient

    /// Connects to the service. Refuses a data directory without a database, unless `creates` is `true`.
    init(_ arguments: CommandLineArguments, creates: Bool = false) throws {
        if let url = arguments[.server] {
            guard let token = arguments[.token] else {
                throw CommandLineArguments.Misuse(message: "--server needs a --token.")
            }
            (base, socketPath, local) = (url.hasSuffix("/") ? String(url.dropLast()) : url, nil, nil)
            self.token = token
            client = try HTTPClient()
            return
        }
        let path = arguments.socketPath
        (base, socketPath, token) = ("http://localhost", path, nil)
        client = try HTTPClient(socketPath: path)
        local = try Self.answers(path) ? nil : Self.start(arguments.directory, path, creates)
    }

    /// Connects to the server at a socket, with a token, or as the first administrator.
    init(socketPath: String, token: String?) throws(HTTPClientError) {
        (base, self.socketPath, self.token, local) = ("http://localhost", socketPath, token, nil)
        client = try HTTPClient(socketPath: socketPath)
    }

    /// A Boolean value indicating whether the client uses a server, and not a service in this process.
    var hasServer: Bool { local == nil }

    deinit {
        local?.drain(deadlineSeconds: 1)
        local?.wait()
    }

    /// Returns a request with this client's address and credentials.
    private func request(_ method: String, _ path: String, body: [UInt8]? = nil) -> HTTPRequest {
        var fields = token.map { ["Authorization: Bearer \($0)"] } ?? []
        // Otherwise libcurl would declare the body a form, and wait for permission to send it.
        if body != nil { fields += ["Content-Type: application/json", "Expect:"] }
        return HTTPRequest(method, base + path, fields: fields, body: body)
    }

    /// Sends a request whose response is passed on piece by piece, without a timeout. Throws the text of a problem.
    func download(_ path: String, to take: (UnsafeRawBufferPointer) -> Bool) throws {
        let patient = try HTTPClient(socketPath: socketPath, secondsMax: 0)
        let response = try patient.download(request("GET", path), to: take)
        guard response.status == 200 else {
            throw CommandFailure(description: ReceivedProblemText.text(response), status: response.status)
        }
    }

    /// Sends a request and returns the response's JSON. Throws the text of a problem.
    func send(_ method: String, _ path: String, body: [UInt8]? = nil) throws -> JSONValue? {
        let body = try content(request(method, path, body: body))
        return body.isEmpty ? nil : try JSONDocument(body, limits: Self.limits).root
    }

    /// Sends a request, and retries for a minute while the server is overloaded or limits the rate.
    func sendPatiently(_ method: String, _ path: String, body: [UInt8]? = nil) throws -> JSONValue? {
        for _ in 0..<60 {
            do {
                return try send(method, path, body: body)
            } catch let refusal as CommandFailure where [429, 503].contains(refusal.status) {
                sleep(1)
            }
        }
        return try send(method, path, body: body)
    }

    /// Reads a text. Throws the text of a problem.
    func text(_ path: String) throws -> String { String(decoding: try content(request("GET", path)), as: UTF8.self) }

    private func content(_ request: HTTPRequest) throws -> [UInt8] {
        let response = try client.send(request)
        guard (200...299).contains(response.status) else {
            throw CommandFailure(description: ReceivedProblemText.text(response), status: response.status)
        }
        return response.body
    }

    static let limits = JSONLimits(bytesMax: HTTPClient.bodyBytesMax, valuesMax: 10_000_000)

    /// Returns whether a server runs on the directory. A server that is too busy to answer throws an error.
    private static func answers(_ path: String) throws -> Bool {
        guard FileManager.default.fileExists(atPath: path) else { return false }
        let response: HTTPClientResponse
        do throws(HTTPClientError) {
            response = try HTTPClient(socketPath: path, secondsMax: 5).send("GET", "http://localhost/healthz")
        } catch {
            if error.isRefused { return false }
            throw silent(error.description)
        }
        guard response.status == 200 else { throw silent(ReceivedProblemText.text(response)) }
        return true
    }

    private static func silent(_ why: String) -> CommandFailure {
        CommandFailure(description: "A server runs on this data directory, but does not respond: \(why)")
    }

    /// Returns the failure for a data directory that another process has locked while nothing listens on its socket.
    static func notListening(_ pid: Int32?, _ path: String) -> CommandFailure {
        CommandFailure(
            description:
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

/// The texts of problem details for a person.
enum ReceivedProblemText {
    static func text(_ response: HTTPClientResponse) -> String {
        guard let problem = try? JSONDocument(response.body).root, problem["detail"] != nil else {
            return "the server returned the status \(response.status)"
        }
        return text(problem)
    }

    static func text(_ problem: JSONValue) -> String {
        let violations = problem["violations"]?.elements.map {
            "\($0["pointer"]?.string ?? ""): \($0["detail"]?.string ?? "")"
        }
        if let violations, !violations.isEmpty { return violations.joined(separator: "; ") }
        return problem["detail"]?.string ?? "refused"
    }
}
