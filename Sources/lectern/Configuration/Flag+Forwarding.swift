/// The flags of trusted proxies.
extension Flag {
    static let forwardedField = Flag(
        name: "forwarded-field", value: "NAME",
        about: "the field with the client's address", defaultValue: nil)
    static let trustedProxy = Flag(
        name: "trusted-proxy", value: "RANGE",
        about: "a trusted proxy's address or range; repeatable", defaultValue: nil,
        isRepeated: true)

    static let ofForwarding = [forwardedField, trustedProxy]
}
