import API
import HTTPServer
import Store

extension CommandLineArguments {
    /// Returns the settings of registration, passwords and links. Throws `Misuse`.
    func accounts() throws(Misuse) -> AccountSettings {
        var accounts = AccountSettings()
        accounts.registration = try choice(.registration)
        accounts.linkMakers = try choice(.registrationLinks)
        accounts.registrationsPerHour = try number(.maxRegistrationsPerHour)
        accounts.passwordMebibytes = try number(.passwordMemoryMiB, 1...1024)
        let origins = try origins(.publicURL)
        guard origins.count < 2 else { throw Misuse(message: "\(place(of: .publicURL)) must be one URL.") }
        accounts.publicOrigin = origins.first
        if let origin = origins.first, !origin.isSecure, !origin.text.hasPrefix("http://") {
            throw Misuse(
                message: "\(place(of: .publicURL)) must begin with https://, or with http:// if you do not want TLS.")
        }
        return accounts
    }
}
