/// The flags of the identity provider.
extension Flag {
    static let oidcIssuer = Flag(
        name: "oidc-issuer", value: "URL", about: "an OpenID Connect provider for sign-in",
        defaultValue: nil)
    static let oidcClientID = Flag(
        name: "oidc-client-id", value: "ID", about: "the client id at the provider", defaultValue: "lectern")
    static let oidcClientSecretFile = Flag(
        name: "oidc-client-secret-file", value: "FILE", about: "its secret; none for public clients",
        defaultValue: nil)
    static let oidcAllowHTTP = Flag(
        name: "oidc-allow-http", value: "BOOL", about: "plain HTTP on this machine: for tests",
        defaultValue: "false")

    static let ofProvider = [oidcIssuer, oidcClientID, oidcClientSecretFile, oidcAllowHTTP]
}
