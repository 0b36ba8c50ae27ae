import API
import HTTPServer
import JSON
import Store

/// A service with registration, and requests to it.
struct AccountScenario {
    let service: TestService

    init(
        host: String = "127.0.0.1", forwarding: ForwardedClientAddress? = nil,
        configure: (inout AccountSettings) -> Void = { _ in }
    ) throws {
        var settings = AccountSettings()
        settings.passwordMebibytes = 1
        settings.registration = .open
        configure(&settings)
        service = try TestService(host: host) {
            $0.accounts = settings
            if let forwarding { $0.forwarding = forwarding }
        }
    }

    /// Returns the secret of a new link.
    func link(_ body: String = "{}", token: String? = nil) throws -> String {
        let answer = try service.send("POST", "/v1/links", body, token: token)
        guard answer.status == 201, let url = answer["url"]?.string else { throw UnexpectedResponse(text: answer.text) }
        return String(url.split(separator: "#", maxSplits: 1)[1])
    }

    func register(_ name: String, _ password: String = "a rope of sand", more: String = "") throws -> Answer {
        try service.send(
            "POST", "/v1/accounts", "{\"name\":\"\(name)\",\"password\":\"\(password)\"\(more)}", token: "")
    }

    func signIn(
        _ name: String, _ password: String = "a rope of sand", more: String = "", fields: [String] = []
    ) throws -> Answer {
        try service.send(
            "POST", "/v1/sessions", "{\"name\":\"\(name)\",\"password\":\"\(password)\"\(more)}", token: "",
            fields: fields)
    }

    /// Returns the token of a new session.
    func token(_ name: String, _ password: String = "a rope of sand") throws -> String {
        let answer = try signIn(name, password)
        guard answer.status == 201, let token = answer["token"]?.string else {
            throw UnexpectedResponse(text: answer.text)
        }
        return token
    }

    var origin: String { "http://127.0.0.1:\(service.port)" }

    /// Returns the cookie field that a browser would send after a sign-in on the server's own page.
    func cookie(_ name: String, _ password: String = "a rope of sand") throws -> String {
        let answer = try signIn(name, password, more: ",\"cookie\":true", fields: ["Origin: \(origin)"])
        guard answer.status == 201, answer["token"] == nil, let field = answer.fields["set-cookie"] else {
            throw UnexpectedResponse(text: answer.text)
        }
        return "Cookie: " + field.prefix { $0 != ";" }
    }

    func status(_ method: String, _ path: String, _ body: String? = nil, _ fields: [String]) throws -> Int {
        try service.send(method, path, body, token: "", fields: fields).status
    }
}
