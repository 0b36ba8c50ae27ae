import API
import HTTPServer
import Store

extension CommandLineArguments {
    /// Returns the settings of registration, passwords and links. Throws `CommandError.misused`.
    func accounts() throws(CommandError) -> AccountSettings {
        var accounts = AccountSettings()
        accounts.registration = try choice(.registration)
        accounts.linkMakers = try choice(.registrationLinks)
        accounts.registrationsPerHour = try number(.maxRegistrationsPerHour)
        accounts.passwordMebibytes = try number(.passwordMemoryMiB, 1...1024)
        let origins = try origins(.publicURL)
        guard origins.count < 2 else { throw .misused("\(place(of: .publicURL)) must be one URL.") }
        accounts.publicOrigin = origins.first
        if let origin = origins.first, !origin.isSecure, !origin.text.hasPrefix("http://") {
            throw .misused("\(place(of: .publicURL)) must begin with https://, or with http:// if you do not want TLS.")
        }
        return accounts
    }
}
