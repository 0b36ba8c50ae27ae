import Foundation
import Glibc
import JSON
import SharedByTests
import Testing

@testable import lectern

@Suite("Inviting", .serialized, .ownThreads)
struct InviteTests {
    @Test("`lectern invite` prints a link for a registration, into a club and with a name, or for a password")
    func links() throws {
        let data = TestDirectory.memory.path("invite")
        defer { try? FileManager.default.removeItem(atPath: data) }
        let token = try Binary.newData(data)
        func invite(_ words: String...) throws -> (code: Int32, out: String, err: String) {
            try Binary.run(["invite", "--data", data] + words)
        }
        let alone = try invite()
        #expect(alone.code == 1 && alone.err.contains("Start the server first") && alone.out.isEmpty)
        let server = try Binary(data: data)
        defer { server.stop(with: SIGTERM) }
        let client = Client(port: server.port, token: token)
        _ = client.write("/v1/clubs", #"{"name":"Tuesdays"}"#)
        let base = "http://127.0.0.1:\(server.port)/sign-in#"
        let plain = try invite().out
        #expect(plain.hasPrefix(base + "invitation_") && plain.hasSuffix("\n") && !plain.contains("&"))
        let named = try invite("--club", "Tuesdays", "--name", "Ben & Cleo").out
        #expect(named.hasSuffix("&name=Ben%20%26%20Cleo\n"))
        let secret = named.dropFirst(base.count).prefix { $0 != "&" }
        let preview = try client.send("POST", "/v1/links/preview", "{\"link\":\"\(secret)\"}")
        #expect(preview?["club"]?["name"]?.string == "Tuesdays")
        let cleo = client.write("/v1/readers", #"{"name":"Cleo"}"#)
        try #require(cleo != nil)
        #expect(try invite("--reader", "Cleo").out.hasPrefix(base + "reset_"))
        #expect(try invite("--reader", "Cleo", "--club", "Tuesdays").code == 2)
        #expect(try invite("--club", "Mondays").err.contains("You are not in a club \"Mondays\"."))
    }
}
