package import Bytes

/// The origin of a page, as browsers send it in `Origin` (RFC 6454): a scheme, a host, and a port unless it is the
/// scheme's default.
package struct WebOrigin: Sendable, Equatable {
    package let text: String

    /// Parses an origin as browsers write it. Another form would never equal what they send.
    package init(_ text: String) throws(InvalidText) {
        if text == "*" { throw InvalidText(reason: "it would allow every origin; name each one") }
        if text == "null" {
            throw InvalidText(reason: "every sandboxed page and every local file has that origin")
        }
        guard let mark = text.firstRange(of: "://"), Self.isScheme(text[..<mark.lowerBound]) else {
            throw InvalidText(reason: "it must begin with https:// or another scheme, in lowercase")
        }
        let authority = text[mark.upperBound...]
        if let end = authority.firstIndex(where: { "/?#".contains($0) }) {
            throw InvalidText(reason: "it must end with the host or its port: remove \"\(authority[end...])\"")
        }
        guard authority.unicodeScalars.allSatisfy({ $0.isASCII && !("A"..."Z").contains($0) }) else {
            throw InvalidText(reason: "the host must be in lowercase and ASCII (xn--…), as browsers send it")
        }
        var host = authority
        if let colon = authority.lastIndex(of: ":"), !authority.hasSuffix("]") {
            host = authority[..<colon]
            try Self.check(port: authority[authority.index(after: colon)...], of: text[..<mark.lowerBound])
        }
        guard Self.isHost(host) else { throw InvalidText(reason: "\"\(host)\" is not a host") }
        self.text = text
    }

    private static func check(port text: Substring, of scheme: Substring) throws(InvalidText) {
        guard let port = UInt16(text), port > 0, "\(port)" == text else {
            throw InvalidText(reason: "\"\(text)\" is not a port")
        }
        if scheme == "https" && port == 443 || scheme == "http" && port == 80 {
            throw InvalidText(reason: "remove :\(port): browsers do not send the default port of \(scheme)")
        }
    }

    private static func isScheme(_ text: Substring) -> Bool {
        text.utf8.first?.isLetter ?? false
            && text.utf8.allSatisfy { $0.isLetter && $0 == $0.lowercased || $0.isDigit || "+-.".utf8.contains($0) }
    }

    private static func isHost(_ text: Substring) -> Bool {
        if text.hasPrefix("["), text.hasSuffix("]") {
            let address = text.utf8.dropFirst().dropLast()
            return address.count > 1 && address.allSatisfy { $0.hexValue != nil || ":.".utf8.contains($0) }
        }
        return !text.isEmpty && text.utf8.allSatisfy { $0.isLetter || $0.isDigit || "-._".utf8.contains($0) }
    }

    /// A Boolean value indicating whether the origin's traffic is encrypted.
    package var isSecure: Bool { text.hasPrefix("https://") }

    /// A Boolean value indicating whether the origin is on this machine.
    package var isLoopback: Bool {
        guard let mark = text.firstRange(of: "://") else { return false }
        return Self.isLoopback(host: Self.withoutPort(String(text[mark.upperBound...])))
    }

    /// Returns whether a host is `localhost` or a loopback address (RFC 6761, 6.3).
    package static func isLoopback(host: String) -> Bool {
        let host = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
        if host == "localhost" || host.hasSuffix(".localhost") || host == "::1" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }

    package static func withoutPort(_ authority: String) -> String {
        guard let colon = authority.lastIndex(of: ":"), !authority.hasSuffix("]") else { return authority }
        return String(authority[..<colon])
    }
}
