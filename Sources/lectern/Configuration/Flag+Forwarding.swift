/// The flags of trusted proxies.
extension Flag {
    static let forwardedField = Flag(
        name: "forwarded-field", value: "NAME",
        about: "the field with the client's address", fallback: nil)
    static let trustedProxy = Flag(
        name: "trusted-proxy", value: "RANGE",
        about: "a trusted proxy's address or range; repeatable", fallback: nil,
        isRepeated: true)

    static let ofForwarding = [forwardedField, trustedProxy]
}
