import Bytes

/// The address of something of a provider's: HTTPS, or, where that is allowed, plain HTTP on this machine.
struct EndpointURL: Sendable, Equatable {
    let text: String
    /// Whether it goes over the wire in the clear, which only this machine's own may.
    let isPlain: Bool

    /// Nil for what is none.
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

    /// Whether a host, with or without a port, is this machine by its very name.
    static func isLoopback(_ authority: Substring) -> Bool {
        let host = authority.hasPrefix("[") ? authority.prefix { $0 != "]" } + "]" : authority.prefix { $0 != ":" }
        let port = authority.dropFirst(host.count)
        guard port.isEmpty || port.first == ":" && port.dropFirst().utf8.allSatisfy(\.isDigit) else { return false }
        return ["127.0.0.1", "[::1]", "localhost"].contains(host)
    }

    /// With some parameters more.
    func adding(_ parameters: [(name: String, value: String)]) -> String {
        "\(text)\(text.contains("?") ? "&" : "?")\(PercentEncoding.form(parameters))"
    }
}
