import JSON

/// The required part of a provider's metadata (OpenID Connect Discovery 1.0).
struct ProviderMetadata: Sendable, Equatable {
    /// The way in which the client authenticates at the token endpoint (OpenID Connect Core 1.0, 9).
    enum Authentication: Sendable, Equatable {
        case basic
        case post
    }

    let authorization: EndpointURL
    let token: EndpointURL
    let authentication: Authentication
    /// A Boolean value indicating whether each response names the issuer (RFC 9207). Responses without it are then
    /// refused.
    let namesIssuer: Bool

    /// Decodes the metadata of an issuer.
    init(_ document: [UInt8], of issuer: EndpointURL) throws(OpenIDError) {
        let root: JSONValue
        do { root = try JSONDocument(document).root } catch {
            throw .unreachable("the provider's configuration is not JSON: \(error)")
        }
        guard root["issuer"]?.string.map({ $0.utf8.elementsEqual(issuer.text.utf8) }) ?? false else {
            throw .unreachable("the provider's configuration is from another issuer")
        }
        authorization = try Self.endpoint("authorization_endpoint", root, issuer)
        token = try Self.endpoint("token_endpoint", root, issuer)
        namesIssuer = root["authorization_response_iss_parameter_supported"]?.bool ?? false
        if let methods = Self.texts("code_challenge_methods_supported", root), !methods.contains("S256") {
            throw .unreachable("the provider does not support PKCE with S256")
        }
        let ways = Self.texts("token_endpoint_auth_methods_supported", root) ?? ["client_secret_basic"]
        authentication = ways.contains("client_secret_basic") || !ways.contains("client_secret_post") ? .basic : .post
    }

    private static func endpoint(
        _ name: String, _ root: JSONValue, _ issuer: EndpointURL
    ) throws(OpenIDError) -> EndpointURL {
        guard let url = root[name]?.string.flatMap({ EndpointURL($0, allowsPlain: issuer.isPlain) }) else {
            throw .unreachable("the provider's configuration has no HTTPS \(name)")
        }
        return url
    }

    private static func texts(_ name: String, _ root: JSONValue) -> [String]? {
        guard let value = root[name], value.kind == .array else { return nil }
        return value.elements.compactMap(\.string)
    }
}
