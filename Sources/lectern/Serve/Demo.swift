import API
import FoundationEssentials
import Glibc
import HTTPServer
import JSON
import Model

/// `lectern serve --demo`: a server with its own data, which the readers of a script write continuously, as any client
/// does. The data is in a temporary directory, which is removed at the end.
final class Demo {
    /// The data directory.
    let directory: String
    private var script: DemoScript
    private var clients: [String: ServiceClient] = [:]
    private var next = 0

    /// The seconds between two lines of the script.
    static let pause = 3

    init(_ arguments: CommandLineArguments) throws {
        if arguments.isOnCommandLine(.data) {
            throw CommandError.misused("--demo cannot be used with --data: it has its own data.")
        }
        script = try DemoScript()
        let folder = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
        var path = Array("\(folder)/lectern-demo-XXXXXX".utf8CString)
        guard mkdtemp(&path) != nil else {
            throw CommandError.failed("\(folder): \(String(cString: strerror(errno)))")
        }
        directory = String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Removes the data.
    func remove() {
        do { try FileManager.default.removeItem(atPath: directory) } catch { printError("\(directory): \(error)") }
    }

    /// Creates the readers and the script's initial data. Returns the link that signs the first reader in.
    func begin() throws -> String {
        let host = try client()
        let main = script.readers[0]
        let me = try host.send("PATCH", "/v1/me", body: Self.object("name", main))?["id"]?.string ?? ""
        script.name(me, main)
        clients[main] = host
        for name in script.readers.dropFirst() {
            let reader = try host.send("POST", "/v1/readers", body: Self.object("name", name))?["id"]?.string ?? ""
            let token = Self.object("name", "demo", "reader", reader)
            clients[name] = try client(token: try host.send("POST", "/v1/tokens", body: token)?["token"]?.string)
            script.name(reader, name)
        }
        for line in script.beginning { try send(line) }
        let link = try host.send("POST", "/v1/links", body: Self.object("kind", "signin", "reader", me))
        return link?["url"]?.string ?? ""
    }

    /// Sends the next line of the script.
    func sendNextLine() throws {
        let (middle, ending) = (script.middle, script.ending)
        let line = next < middle.count ? middle[next] : ending[(next - middle.count) % ending.count]
        next += 1
        try send(line)
    }

    /// Sends the request of a line.
    private func send(_ line: Substring) throws {
        let request = try script.request(line)
        guard let client = clients[request.reader] else {
            throw CommandError.failed("The demo has no reader \(request.reader).")
        }
        let answer = try client.send(request.method, request.path, body: request.body)
        if let code = request.code { script.name(answer?["code"]?.string ?? "", code) }
    }

    private func client(token: String? = nil) throws -> ServiceClient {
        try ServiceClient(socketPath: directory + "/lectern.sock", token: token)
    }

    /// Returns a JSON object of names and texts.
    private static func object(_ members: String...) -> [UInt8] {
        JSONWriter.object { json in
            for index in stride(from: 0, to: members.count, by: 2) {
                json.name(members[index])
                json.string(members[index + 1])
            }
        }
    }
}

extension AccountSettings {
    /// Allows a browser on this machine to sign in to a demo behind a container's published port.
    mutating func admitPublishedPort(_ host: String, _ port: UInt16) throws {
        guard publicOrigin == nil, !WebOrigin.isLoopback(host: host) else { return }
        publicOrigin = try WebOrigin("http://localhost" + (port == 80 ? "" : ":\(port)"))
    }
}
