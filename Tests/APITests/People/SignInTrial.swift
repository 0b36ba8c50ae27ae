import FoundationEssentials
import HTTPServer
import JSON
import OpenID
import SharedByTests
import Store

@testable import API

/// A service with a scripted provider, and browsers that sign in.
final class SignInTrial {
    let provider: ScriptedProvider
    let service: TestService

    init(_ mode: RegistrationMode = .open, secondsMax: Int = 5, configuration: [String: String] = [:], loops: Int = 2)
        throws
    {
        let provider = try ScriptedProvider()
        provider.play(.claims([:]), configuration: configuration)
        self.provider = provider
        let settings = try provider.settings(secondsMax: secondsMax)
        service = try TestService {
            $0.accounts.registration = mode
            $0.accounts.publicOrigin = try! WebOrigin("https://lectern.example")
            $0.accounts.provider = settings
            $0.loops = loops
            $0.coversFromLoopback = true
            $0.coverSecondsMax = patienceSeconds
        }
    }

    deinit { provider.stop() }

    /// The values that a browser has and sends after the provider redirects it back.
    struct Return {
        var state: String
        var code: String
        var cookie: String?
        var more = ""
        var accept = "application/json"
    }

    /// Begins a sign-in, and agrees at the provider.
    func depart(link: String? = nil, path: String = "/v1/oidc/begin", token: String = "") throws -> Return {
        let body = path == "/v1/oidc/begin" ? "{\"device\":\"laptop\"\(link.map { ",\"link\":\"\($0)\"" } ?? "")}" : nil
        let begun = try service.send("POST", path, body, token: token)
        guard begun.status == 200, let url = begun["url"]?.string else { throw UnexpectedResponse(text: begun.text) }
        let (state, code) = try provider.authorize(url)
        return Return(
            state: state, code: code, cookie: Self.value("__Host-lectern-attempt", in: begun.fields["set-cookie"] ?? "")
        )
    }

    /// Sends the callback request.
    func arrive(_ back: Return) throws -> Arrival {
        let cookie = back.cookie.map { "Cookie: a=b; __Host-lectern-attempt=\($0); c=d\r\n" } ?? ""
        let text = try Wire(service).answer(
            to: """
                GET /v1/oidc/callback?session_state=x&state=\(back.state)&code=\(back.code)\(back.more) HTTP/1.1\r
                Host: evil.example\r\nConnection: close\r\nAccept: \(back.accept)\r\n\(cookie)\r\n
                """)
        return Arrival(text: text)
    }

    func signIn(link: String? = nil) throws -> Arrival { try arrive(depart(link: link)) }

    /// Signs in, and returns the session's secret.
    func session() throws -> String {
        let arrived = try signIn()
        guard let secret = arrived.session else { throw UnexpectedResponse(text: arrived.text) }
        return secret
    }

    /// Returns the numbers of readers and tokens.
    func count() throws -> [Int] {
        try ["/v1/readers", "/v1/tokens"].map { path in
            try service.send("GET", "\(path)?limit=100")["items"]?.elements.reduce(0) { sum, _ in sum + 1 } ?? -1
        }
    }

    /// Returns the value of a cookie in a Set-Cookie field.
    static func value(_ name: String, in line: String) -> String? {
        guard line.hasPrefix("\(name)=") else { return nil }
        let value = line.dropFirst(name.utf8.count + 1).prefix { $0 != ";" }
        return value.isEmpty ? nil : String(value)
    }
}

/// The response to the callback request.
struct Arrival {
    let text: String

    var status: Int { Int(text.split(separator: " ").dropFirst().first ?? "") ?? 0 }
    var lines: [String] { text.components(separatedBy: "\r\n\r\n")[0].components(separatedBy: "\r\n") }
    func values(_ name: String) -> [String] {
        lines.filter { $0.hasPrefix("\(name): ") }.map { String($0.dropFirst(name.utf8.count + 2)) }
    }
    /// The session's secret.
    var session: String? { values("Set-Cookie").lazy.compactMap { SignInTrial.value("__Host-lectern", in: $0) }.first }
}
