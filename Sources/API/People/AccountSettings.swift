package import HTTPServer
package import OpenID
package import Store

/// The settings for registration and sign-in.
package struct AccountSettings: Sendable {
    /// The people who can become readers without being created by an administrator.
    package var registration = RegistrationMode.invited
    /// The readers who may create registration links.
    package var linkMakers = RegistrationLinkCreators.administrators
    /// The maximum number of registrations per hour without a link, with open registration; 0 means no limit.
    package var registrationsPerHour = 100
    /// The origin at which browsers find the service. Links begin with it, never with a request's `Host`, and only its
    /// pages may send requests with a cookie.
    package var publicOrigin: WebOrigin?
    /// The identity provider for sign-in besides passwords.
    package var provider: ProviderSettings?
    /// The memory for hashing a password, in mebibytes.
    package var passwordMebibytes = 16
    /// A Boolean value indicating whether guesses are limited. Tests that measure sign-in times turn it off.
    package var guessesAreSlowed = true

    package init() {}

    var registrationPolicy: RegistrationPolicy { RegistrationPolicy(registration, linksBy: linkMakers) }
}

/// The way in which browsers sign in. The raw values are sent.
package enum BrowserSignIn: String, Sendable {
    /// With HTTPS, or on this machine only.
    case secure
    /// With plain HTTP, because the public URL is one of HTTP.
    case unencrypted
    /// No sign-in: the service is reachable from other machines, and has no public URL.
    case unavailable
}
