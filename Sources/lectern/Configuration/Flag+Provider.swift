/// The flags of the identity provider.
extension Flag {
    static let oidcIssuer = Flag(
        name: "oidc-issuer", value: "URL", about: "an identity provider (OpenID Connect) for sign-in",
        fallback: nil)
    static let oidcClientID = Flag(
        name: "oidc-client-id", value: "ID", about: "the client id at the provider", fallback: "lectern")
    static let oidcClientSecretFile = Flag(
        name: "oidc-client-secret-file", value: "FILE", about: "the client secret; none for a public client",
        fallback: nil)
    static let oidcAllowHTTP = Flag(
        name: "oidc-allow-http", value: "BOOL", about: "use plain HTTP with a provider on this machine: for tests",
        fallback: "false")

    static let ofProvider = [oidcIssuer, oidcClientID, oidcClientSecretFile, oidcAllowHTTP]
}
