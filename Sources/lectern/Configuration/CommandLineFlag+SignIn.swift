import API
import Store

/// The flags of registration, passwords and the identity provider.
extension CommandLineFlag {
    static let registration = CommandLineFlag(
        "registration", "closed|invited|open", default: AccountSettings().registration.rawValue,
        about: "The people who can register: nobody, people with a link, or everybody")
    static let registrationLinks = CommandLineFlag(
        "registration-links", "administrators|readers", default: AccountSettings().linkMakers.rawValue,
        about: "The people who create registration links: administrators, or also readers for clubs that they "
            + "moderate or own")
    static let maxRegistrationsPerHour = CommandLineFlag(
        "max-registrations-per-hour", "N", default: "\(AccountSettings().registrationsPerHour)",
        about: "The maximum number of registrations without a link; 0 is no limit")
    static let passwordMemoryMiB = CommandLineFlag(
        "password-memory-mib", "N", default: "\(AccountSettings().passwordMebibytes)",
        about: "The memory for hashing a password: 1 to 1024")
    static let oidcIssuer = CommandLineFlag(
        "oidc-issuer", "URL", about: "An identity provider (OpenID Connect) for sign-in")
    static let oidcClientID = CommandLineFlag(
        "oidc-client-id", "ID", default: "lectern", about: "The client id at the provider")
    static let oidcClientSecretFile = CommandLineFlag(
        "oidc-client-secret-file", "FILE", unset: "none, a public client", about: "The file with the client secret")
    static let oidcAllowHTTP = CommandLineFlag(
        "oidc-allow-http", "true|false", default: "false",
        about: "Allow plain HTTP with a provider on this machine (for tests)")
}

extension CommandLineFlagGroup {
    static let signIn = CommandLineFlagGroup(
        "Sign-in",
        [
            .registration, .registrationLinks, .maxRegistrationsPerHour, .passwordMemoryMiB, .oidcIssuer, .oidcClientID,
            .oidcClientSecretFile, .oidcAllowHTTP,
        ])
}
