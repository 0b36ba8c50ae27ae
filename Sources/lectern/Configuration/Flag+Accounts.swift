/// The flags of registration and passwords.
extension Flag {
    static let publicURL = Flag(
        name: "public-url", value: "URL",
        about: "the server's address in browsers and links, such as https://books.example.org", fallback: nil)
    static let registration = Flag(
        name: "registration", value: "MODE",
        about: "who can register: nobody (closed), people with a link (invited), or everybody (open)",
        fallback: "invited")
    static let registrationLinks = Flag(
        name: "registration-links", value: "WHO",
        about:
            "who creates registration links: administrators, or readers (for clubs that they moderate or own)",
        fallback: "administrators")
    static let registrationsPerHour = Flag(
        name: "registrations-per-hour", value: "N",
        about: "maximum registrations an hour without a link; 0 is no limit", fallback: "100")
    static let passwordMebibytes = Flag(
        name: "password-mebibytes", value: "N", about: "memory for a password's hash: 1 to 1024", fallback: "16")

    static let ofAccounts = [publicURL, registration, registrationLinks, registrationsPerHour, passwordMebibytes]
}
