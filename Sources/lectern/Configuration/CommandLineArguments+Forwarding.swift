import Bytes
import HTTPServer

extension CommandLineArguments {
    /// Returns the trusted proxies, and the field with the client's address. Throws `CommandError.misused`.
    func forwarding() throws(CommandError) -> ForwardedClientAddress {
        let proxies = try values(of: .trustedProxy, AddressRange.init)
        let field = self[.forwardedField] ?? ""
        if field.isEmpty, proxies.isEmpty { return .none }
        // Only one of the two settings would have no effect, but look effective.
        guard !field.isEmpty else {
            throw .misused("--trusted-proxy needs --forwarded-field, which names the field with the client's address.")
        }
        guard !proxies.isEmpty else {
            throw .misused("--forwarded-field needs --trusted-proxy, because any client can send such a field.")
        }
        guard field.lowercased() != "forwarded" else {
            throw .misused(
                "\(place(of: .forwardedField)): the field Forwarded (RFC 7239) is not supported. Make the proxy send "
                    + "X-Forwarded-For, and name that.")
        }
        guard let forwarding = ForwardedClientAddress(field: field, proxies: proxies) else {
            throw .misused("\(place(of: .forwardedField)): \"\(field)\" is not a valid field name.")
        }
        return forwarding
    }
}
