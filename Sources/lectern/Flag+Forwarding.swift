/// The flags of trusted proxies.
extension Flag {
    static let forwardedField = Flag(
        name: "forwarded-field", value: "NAME",
        about: "where proxies say whose request it is: X-Forwarded-For, Forwarded, …", fallback: nil)
    static let trustedProxy = Flag(
        name: "trusted-proxy", value: "RANGE",
        about: "an address, or a range as 10.0.0.0/8, of proxies that are believed; may be given again", fallback: nil,
        isRepeated: true)

    static let ofForwarding = [forwardedField, trustedProxy]
}
