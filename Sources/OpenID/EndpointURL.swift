import Bytes

/// The URL of a provider's endpoint: HTTPS, or, if allowed, plain HTTP on this machine.
struct EndpointURL: Sendable, Equatable {
    let text: String
    /// A Boolean value indicating whether the URL uses plain HTTP, which only a loopback host may.
    let isPlain: Bool

    /// Parses a URL, or returns `nil` if it is not allowed.
    init?(_ text: String, allowsPlain: Bool) {
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") && $0 != UInt8(ascii: "#") })
        else { return nil }
        let isPlain = text.hasPrefix("http://")
        guard isPlain || text.hasPrefix("https://") else { return nil }
        let rest = text.dropFirst(isPlain ? 7 : 8)
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        guard !authority.isEmpty, !authority.contains("@") else { return nil }
        if isPlain {
            guard allowsPlain, Self.isLoopback(authority) else { return nil }
        }
        self.text = text
        self.isPlain = isPlain
    }

    /// Returns whether a host, with or without a port, is literally this machine.
    static func isLoopback(_ authority: Substring) -> Bool {
        let host = authority.hasPrefix("[") ? authority.prefix { $0 != "]" } + "]" : authority.prefix { $0 != ":" }
        let port = authority.dropFirst(host.count)
        guard port.isEmpty || port.first == ":" && port.dropFirst().utf8.allSatisfy(\.isDigit) else { return false }
        return ["127.0.0.1", "[::1]", "localhost"].contains(host)
    }

    /// Returns the URL with additional query parameters.
    func adding(_ parameters: [(name: String, value: String)]) -> String {
        "\(text)\(text.contains("?") ? "&" : "?")\(PercentEncoding.form(parameters))"
    }
}
