/// The flags of addresses, browsers and proxies.
extension CommandLineFlag {
    static let listen = CommandLineFlag(
        "listen", "HOST:PORT", default: "127.0.0.1:8080", about: "The address to listen on; :PORT is every IPv4 address"
    )
    static let publicURL = CommandLineFlag(
        "public-url", "URL",
        about: "The server's address in browsers and links, such as https://books.example.org; without it "
            + "browsers sign in only on this machine")
    static let allowOrigin = CommandLineFlag(
        "allow-origin", "URL", isRepeated: true, isReloadable: true,
        about: "An origin whose pages may read responses, such as https://example.org; repeat for more")
    static let forwardedField = CommandLineFlag(
        "forwarded-field", "NAME",
        about: "The header field with the client's address, such as X-Forwarded-For")
    static let trustedProxy = CommandLineFlag(
        "trusted-proxy", "RANGE", isRepeated: true,
        about: "A trusted proxy's address, or a range such as 10.0.0.0/8; repeat for more")
}

extension CommandLineFlagGroup {
    static let network = CommandLineFlagGroup(
        "Network", [.listen, .publicURL, .allowOrigin, .forwardedField, .trustedProxy])
}
