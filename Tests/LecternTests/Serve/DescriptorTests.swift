import Foundation
import Glibc
import Outbound
import SharedByTests
import Testing

@Suite("Closed standard descriptors")
struct ClosedDescriptorTests {
    @Test("No output of a program whose standard output is closed gets into a file of the data directory")
    func output() throws {
        let data = TestDirectory.memory.path("closed")
        defer { try? FileManager.default.removeItem(atPath: data) }
        _ = try Binary.newData(data)
        let export = Process()
        export.executableURL = URL(filePath: "/bin/sh")
        export.arguments = ["-c", "exec \"$0\" export --data \"$1\" <&- >&- 2>&-", Binary.path, data]
        try export.run()
        export.waitUntilExit()
        #expect(export.terminationStatus == 1)
        for file in try FileManager.default.contentsOfDirectory(atPath: data) where file != "lectern.sqlite" {
            let text = FileManager.default.contents(atPath: data + "/" + file) ?? Data()
            #expect(text.range(of: Data("administrator".utf8)) == nil, "\(file)")
        }
    }
}

@Suite("Few file descriptors", .ownThreads)
struct DescriptorTests {
    /// Opens a stream without reading it. Returns the descriptor, which is negative if none is left.
    private func open(port: Int, token: String) -> Int32 {
        let request = """
            GET /v1/changes HTTP/1.1\r\nHost: t\r\nAccept: text/event-stream\r\nAuthorization: Bearer \(token)\r\n\r\n
            """
        return Loopback.connect(port: port, sending: request)
    }

    @Test("A token that opens 300 streams takes no descriptors from the operator or other readers")
    func streams() throws {
        let data = TestDirectory.memory.path("few")
        defer { try? FileManager.default.removeItem(atPath: data) }
        let token = try Binary.newData(data)
        let server = try Binary(data: data, descriptors: 256)
        defer { server.kill() }
        let operators = Client(port: server.port, token: token)
        let id = operators.write("/v1/readers", #"{"name":"Ben"}"#) ?? ""
        let ben = try Binary.run(["token", "create", "--name", "b", "--reader", id, "--data", data]).out
            .trimmingCharacters(in: .whitespacesAndNewlines)
        let streams = (0..<300).map { _ in open(port: server.port, token: ben) }
        defer { for descriptor in streams { close(descriptor) } }
        let list = try Binary.run(["token", "list", "--data", data])
        #expect(list.code == 0 && list.out.contains("Ben"), "\(list.err)")
        #expect(
            try eventually { try Client(port: server.port, token: token).exchange("GET", "/healthz").status == 200 })
        // Refused connections are idle, and are closed for new ones.
        #expect(
            try eventually { try Client(port: server.port, token: token).exchange("GET", "/v1/books").status == 200 })
        #expect(server.process.isRunning)
    }
}
