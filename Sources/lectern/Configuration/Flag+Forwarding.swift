/// The flags of trusted proxies.
extension Flag {
    static let forwardedField = Flag(
        name: "forwarded-field", value: "NAME",
        about: "the header field with the client's address: X-Forwarded-For, Forwarded, …", fallback: nil)
    static let trustedProxy = Flag(
        name: "trusted-proxy", value: "RANGE",
        about: "a trusted proxy's address, or a range such as 10.0.0.0/8; repeat for more", fallback: nil,
        isRepeated: true)

    static let ofForwarding = [forwardedField, trustedProxy]
}
