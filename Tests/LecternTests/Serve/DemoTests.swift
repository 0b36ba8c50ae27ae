import API
import Foundation
import Glibc
import HTTPServer
import JSON
import Outbound
import SharedByTests
import Store
import Testing

@testable import lectern

@Suite("The demo", .serialized, .ownThreads)
struct DemoTests {
    @Test("Every line of the demo's script succeeds, also repeated ones")
    func script() throws {
        let demo = try Demo(CommandLineArguments(["serve", "--demo"], environment: [:]))
        defer { demo.remove() }
        var configuration = Service.Configuration(directory: demo.directory)
        configuration.logLevel = .error
        configuration.store.isDurable = false
        let service = try Service(configuration)
        try service.listen(unix: demo.directory + "/lectern.sock")
        try service.start()
        defer {
            service.drain(deadlineSeconds: 0)
            service.wait()
        }
        #expect(try demo.begin().contains("/sign-in#signin_"))
        let script = try DemoScript()
        let client = try ServiceClient(socketPath: demo.directory + "/lectern.sock", token: nil)
        func count(_ path: String) throws -> Int {
            try client.send("GET", path)?["items"]?.elements.map { $0 }.count ?? 0
        }
        #expect(try client.send("GET", "/v1/me")?["name"]?.string == script.readers[0])
        #expect(try count("/v1/books") == 13 && count("/v1/cards?state=reading") == 4)
        #expect(try count("/v1/cards?state=finished") == 6 && count("/v1/clubs") == 2)
        let club = try client.send("GET", "/v1/clubs?q=tuesdays")?["items"]?.elements.map { $0 }.first?["id"]?.string
        let notes = "/v1/clubs/\(club ?? "")/notes?limit=100"
        let before = try count(notes)
        for _ in 0..<(script.middle.count + 2 * script.ending.count) { try demo.sendNextLine() }
        // Ada's reading has unlocked notes.
        #expect(try count(notes) > before + 10)
    }

    @Test("`lectern serve --demo` prints a link that signs in once, and deletes its data when stopped")
    func program() throws {
        let folder = TestDirectory.memory.path("demo")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let process = Process()
        process.executableURL = URL(filePath: Binary.path)
        process.arguments = ["serve", "--demo", "--listen", "127.0.0.1:0", "--log-level", "error"]
        process.environment = ProcessInfo.processInfo.environment.merging(["TMPDIR": folder]) { $1 }
        let out = Pipe()
        process.standardOutput = out
        try process.run()
        var output = ""
        let place = #/http://127\.0\.0\.1:(\d+)/sign-in#(signin_[A-Za-z0-9_-]{43})\n/#
        while output.firstMatch(of: place) == nil {
            let bytes = out.fileHandleForReading.availableData
            try #require(!bytes.isEmpty, "\(output)")
            output += String(decoding: bytes, as: UTF8.self)
        }
        let match = try #require(output.firstMatch(of: place))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 1)
        let stranger = Client(port: try #require(Int(match.1)), token: "")
        func signIn() throws -> Int {
            try stranger.exchange("POST", "/v1/sessions", "{\"link\":\"\(match.2)\"}").status
        }
        #expect(try [signIn(), signIn()] == [201, 422])
        Glibc.kill(process.processIdentifier, SIGTERM)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
    }

    @Test("`lectern serve --demo` accepts no data directory, and ignores that of the environment")
    func data() throws {
        let output = try CommandLineArguments(["serve", "--demo", "--data", "d"], environment: [:])
        #expect(throws: CommandError.misused("--demo cannot be used with --data: it has its own data.")) {
            try Demo(output)
        }
        let demo = try Demo(CommandLineArguments(["serve", "--demo"], environment: ["LECTERN_DATA": "d"]))
        #expect(demo.directory != "d")
        demo.remove()
    }

    @Test(
        "A browser can sign in at a container's published port by the name localhost",
        arguments: [
            ("127.0.0.1", 8080, nil), ("0.0.0.0", 8080, "http://localhost:8080"), ("::", 80, "http://localhost"),
        ] as [(String, UInt16, String?)])
    func published(host: String, port: UInt16, url: String?) throws {
        var accounts = AccountSettings()
        try accounts.admitPublishedPort(host, port)
        #expect(accounts.publicOrigin?.text == url)
    }
}
