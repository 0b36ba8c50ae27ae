/// The flags of registration and passwords.
extension Flag {
    static let publicURL = Flag(
        name: "public-url", value: "URL",
        about: "the address for browsers and links: https://…", defaultValue: nil)
    static let registration = Flag(
        name: "registration", value: "MODE",
        about: "registration: closed, invited or open",
        defaultValue: "invited")
    static let registrationLinks = Flag(
        name: "registration-links", value: "WHO",
        about: "may create links; or readers",
        defaultValue: "administrators")
    static let registrationsPerHour = Flag(
        name: "registrations-per-hour", value: "N",
        about: "without a link; 0 is no limit", defaultValue: "100")
    static let passwordMebibytes = Flag(
        name: "password-mebibytes", value: "N", about: "memory for a password's hash: 1 to 1024", defaultValue: "16")

    static let ofAccounts = [publicURL, registration, registrationLinks, registrationsPerHour, passwordMebibytes]
}
