import API
import Foundation
import HTTPServer
import Store
import Testing

@testable import lectern

@Suite("The first start")
struct FirstStartTests {
    @Test(
        "The first start prints a command that reaches the server",
        arguments: [
            (nil, "127.0.0.1", "curl -H 'Authorization: Bearer T' http://127.0.0.1:80/v1/me"),
            (nil, "0.0.0.0", "curl -H 'Authorization: Bearer T' http://localhost:80/v1/me"),
            (nil, "::", "curl -H 'Authorization: Bearer T' http://localhost:80/v1/me"),
            (nil, "::1", "curl -H 'Authorization: Bearer T' http://[::1]:80/v1/me"),
            ("https://books.example", "0.0.0.0", "curl -H 'Authorization: Bearer T' https://books.example/v1/me"),
            ("https://localhost", "0.0.0.0", "curl -k -H 'Authorization: Bearer T' https://localhost/v1/me"),
        ] as [(String?, String, String)])
    func command(publicURL: String?, host: String, command: String) throws {
        let origin = try publicURL.map { try Origin($0) }
        var accounts = AccountSettings()
        accounts.publicOrigin = origin
        #expect(FirstStart(accounts, host, 80).text(token: "T").contains("    \(command)\n"))
    }

    @Test("The first start says who can register, and by which settings")
    func registration() {
        var accounts = AccountSettings()
        func text() -> String { FirstStart(accounts, "127.0.0.1", 80).text(token: "T") }
        #expect(text().contains("a link that you make"))
        #expect(text().contains("--registration invited, --registration-links administrators"))
        accounts.linkMakers = .readers
        #expect(text().contains("all who moderate a club") && text().contains("--registration-links readers"))
        accounts.registration = .open
        #expect(text().contains("Everybody who finds this server can register (--registration open)"))
        accounts.registration = .closed
        #expect(text().contains("Nobody can register"))
    }

    @Test("The compose file passes the settings of the environment on, and limits no processors")
    func compose() throws {
        let file = TopicTests.folder.appending(path: "../compose.yaml")
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(text.contains("\n      LECTERN_PUBLIC_URL: ${LECTERN_PUBLIC_URL:-https://localhost}\n"))
        #expect(text.components(separatedBy: "\n      LECTERN_ALLOW_ORIGIN: ${LECTERN_ALLOW_ORIGIN:-}\n").count == 3)
        #expect(!text.contains("cpus:"))
        // Debian 12's docker-compose substitutes no variable within the default of another.
        #expect(!text.contains(/\$\{[^}]*\$/))
    }
}
