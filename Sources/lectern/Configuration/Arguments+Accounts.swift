import API
import HTTPServer
import Store

extension Arguments {
    /// Returns the settings of registration, passwords and links. Throws `Misuse`.
    func accounts() throws(Misuse) -> AccountSettings {
        var accounts = AccountSettings()
        guard let mode = RegistrationMode(rawValue: self[.registration] ?? "") else {
            throw Misuse(message: "--registration must be closed, invited or open.")
        }
        accounts.registration = mode
        guard let makers = LinkMakers(rawValue: self[.registrationLinks] ?? "") else {
            throw Misuse(message: "--registration-links must be administrators or readers.")
        }
        accounts.linkMakers = makers
        accounts.registrationsPerHour = try number(.registrationsPerHour)
        accounts.passwordMebibytes = try number(.passwordMebibytes)
        guard (1...1024).contains(accounts.passwordMebibytes) else {
            throw Misuse(message: "--password-mebibytes must be 1 to 1024.")
        }
        let origins = try origins(.publicURL)
        guard origins.count < 2 else { throw Misuse(message: "--public-url is one.") }
        accounts.publicOrigin = origins.first
        if let origin = origins.first, !origin.isSecure, !origin.text.hasPrefix("http://") {
            throw Misuse(message: "--public-url must begin with https://, or with http:// if you do not want TLS.")
        }
        return accounts
    }
}
