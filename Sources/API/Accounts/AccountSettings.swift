package import HTTPServer
package import OpenID
package import Store

/// How readers come in.
package struct AccountSettings: Sendable {
    /// Who becomes a reader without an administrator who makes them one.
    package var registration = RegistrationMode.invited
    /// The readers who may create registration links.
    package var linkMakers = LinkMakers.administrators
    /// Who may come within an hour without a link, where everyone may; 0 for any number.
    package var registrationsPerHour = 100
    /// Where browsers find the service: links are made of it, never of what a request says (`Host`), and its pages alone may send
    /// what comes with a cookie.
    package var publicOrigin: Origin?
    /// Who says of people who they are, besides passwords.
    package var provider: ProviderSettings?
    /// Memory that a password's hash takes to make.
    package var passwordMebibytes = 16
    /// Off only where a test asks how long sign-ins take.
    package var guessesAreSlowed = true

    package init() {}

    var registrationPolicy: RegistrationPolicy { RegistrationPolicy(registration, linksBy: linkMakers) }
}

/// How browsers sign in. The raw values are sent.
package enum BrowserSignIn: String, Sendable {
    /// By HTTPS, or on this machine only.
    case secure
    /// By plain HTTP, as the public URL wants it.
    case unencrypted
    /// Not at all: others reach the service, and no public URL says how.
    case unavailable
}
