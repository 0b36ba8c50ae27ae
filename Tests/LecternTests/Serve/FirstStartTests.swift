import API
import Foundation
import HTTPServer
import SharedByTests
import Store
import Testing

@testable import lectern

@Suite("The first start")
struct FirstStartTests {
    @Test(
        "The first start prints a command that reaches the server",
        arguments: [
            (nil, "http://127.0.0.1:80", "curl -H 'Authorization: Bearer T' http://127.0.0.1:80/v1/me"),
            (
                "https://books.example", "https://books.example",
                "curl -H 'Authorization: Bearer T' https://books.example/v1/me"
            ),
            ("https://localhost", "https://localhost", "curl -k -H 'Authorization: Bearer T' https://localhost/v1/me"),
        ] as [(String?, String, String)])
    func command(publicURL: String?, url: String, command: String) throws {
        let origin = try publicURL.map { try WebOrigin($0) }
        var accounts = AccountSettings()
        accounts.publicOrigin = origin
        #expect(FirstStartText(accounts, url: url, .secure).text(token: "T", link: "L").contains("    \(command)\n"))
    }

    @Test(
        "The first start's command has an address to which programs can connect",
        arguments: [
            ("127.0.0.1", "http://127.0.0.1"), ("0.0.0.0", "http://localhost"), ("::1", "http://[::1]"),
            ("::", "http://localhost"),
        ])
    func address(host: String, url: String) throws {
        let directory = TestDirectory.memory.path("address")
        defer { try? FileManager.default.removeItem(atPath: directory) }
        var configuration = Service.Configuration(directory: directory)
        configuration.logLevel = .error
        let service = try Service(configuration)
        let port = try service.listen(tcp: host, port: 0)
        #expect(service.url == "\(url):\(port)")
        try service.start()
        service.drain(deadlineSeconds: 0)
        service.wait()
    }

    @Test("The first start prints the link for a browser, and a warning where it is needed")
    func link() {
        func text(_ browsers: BrowserSignIn) -> String {
            FirstStartText(AccountSettings(), url: "http://h", browsers).text(
                token: "T", link: "http://h/sign-in#reset_R")
        }
        #expect(text(.secure).contains("\n    http://h/sign-in#reset_R\n\nThe administrator's token for programs"))
        #expect(!text(.secure).contains("encrypted"))
        #expect(text(.unencrypted).contains("\n    http://h/sign-in#reset_R\n\nSign-in is not encrypted"))
        #expect(text(.unavailable).contains("Browsers cannot sign in") && !text(.unavailable).contains("reset_R"))
    }

    @Test("The first start says who can register, and by which settings")
    func registration() {
        var accounts = AccountSettings()
        func text() -> String { FirstStartText(accounts, url: "http://h", .secure).text(token: "T", link: "L") }
        #expect(text().contains("a link that you create"))
        #expect(text().contains("--registration invited, --registration-links administrators"))
        accounts.linkMakers = .readers
        #expect(text().contains("the moderators of clubs") && text().contains("--registration-links readers"))
        accounts.registration = .open
        #expect(text().contains("Everybody who reaches this server can register (--registration open)"))
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
