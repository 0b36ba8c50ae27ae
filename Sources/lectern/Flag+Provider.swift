/// The flags of the identity provider.
extension Flag {
    static let oidcIssuer = Flag(
        name: "oidc-issuer", value: "URL", about: "an identity provider (OpenID Connect) by which people sign in",
        fallback: nil)
    static let oidcClientID = Flag(
        name: "oidc-client-id", value: "ID", about: "what the provider calls this service", fallback: "lectern")
    static let oidcClientSecretFile = Flag(
        name: "oidc-client-secret-file", value: "FILE", about: "what it knows this service by; none of a public client",
        fallback: nil)
    static let oidcAllowHTTP = Flag(
        name: "oidc-allow-http", value: "BOOL", about: "speak plain HTTP to a provider on this machine: for tests",
        fallback: "false")

    static let ofProvider = [oidcIssuer, oidcClientID, oidcClientSecretFile, oidcAllowHTTP]
}
