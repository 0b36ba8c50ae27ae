/// The flags of addresses, browsers and proxies.
extension Flag {
    static let listen = Flag(
        "listen", "HOST:PORT", default: "127.0.0.1:8080", about: "The address to listen on; :PORT is every IPv4 address"
    )
    static let publicURL = Flag(
        "public-url", "URL",
        about: "The server's address in browsers and links, such as https://books.example.org; without it "
            + "browsers sign in only on this machine")
    static let allowOrigin = Flag(
        "allow-origin", "URL", isRepeated: true,
        about: "An origin whose pages may read responses, such as https://example.org; repeat for more")
    static let forwardedField = Flag(
        "forwarded-field", "NAME",
        about: "The header field with the client's address: X-Forwarded-For, Forwarded, …")
    static let trustedProxy = Flag(
        "trusted-proxy", "RANGE", isRepeated: true,
        about: "A trusted proxy's address, or a range such as 10.0.0.0/8; repeat for more")
}

extension FlagGroup {
    static let network = FlagGroup(
        "Network", [.listen, .publicURL, .allowOrigin, .forwardedField, .trustedProxy])
}
