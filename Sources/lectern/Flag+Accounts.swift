/// The flags of registration and passwords.
extension Flag {
    static let publicURL = Flag(
        name: "public-url", value: "URL",
        about: "where browsers find the service, as https://books.example.org: what links are made of", fallback: nil)
    static let registration = Flag(
        name: "registration", value: "MODE", about: "who becomes a reader: closed, invited (by a link) or open",
        fallback: "invited")
    static let registrationLinks = Flag(
        name: "registration-links", value: "WHO",
        about:
            "who makes links that register people: administrators, or readers (into clubs that they moderate or own)",
        fallback: "administrators")
    static let registrationsPerHour = Flag(
        name: "registrations-per-hour", value: "N",
        about: "readers who come in within an hour without a link, where all may; 0 is any number", fallback: "100")
    static let passwordMebibytes = Flag(
        name: "password-mebibytes", value: "N", about: "memory that a password's hash takes: 1 to 1024", fallback: "16")

    static let ofAccounts = [publicURL, registration, registrationLinks, registrationsPerHour, passwordMebibytes]
}
