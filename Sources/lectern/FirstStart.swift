import API
import HTTPServer
import Store

/// The text that the first start prints: the administrator's token and a command to try it with.
struct FirstStart {
    private let url: String
    private let options: String
    private let registration: String

    /// The command uses the public URL, or else the address that the server listens on.
    init(_ accounts: AccountSettings, _ host: String, _ port: UInt16) {
        let publicOrigin = accounts.publicOrigin
        registration = Self.registration(accounts)
        url = publicOrigin?.text ?? Self.url(host, port)
        // The proxy of a site that only this machine can reach has made its certificate itself.
        options = publicOrigin.map { $0.isSecure && $0.isLoopback } == true ? "-k " : ""
    }

    func text(token: String) -> String {
        """
        This is a new data directory. Its administrator's token, shown this once:

            \(token)

        Try it:

            curl \(options)-H 'Authorization: Bearer \(token)' \(url)/v1/me

        \(registration)

        """
    }

    /// The sentence about who can register, and how to change that.
    private static func registration(_ accounts: AccountSettings) -> String {
        let setting = "--registration \(accounts.registration.rawValue)"
        return switch (accounts.registration, accounts.linkMakers) {
        case (.open, _): "Everybody who finds this server can register (\(setting))."
        case (.closed, _): "Nobody can register: you add readers (\(setting))."
        case (.invited, .administrators):
            """
            People register by a link that you make: POST /v1/links (\(setting), --registration-links administrators).
            `lectern help accounts` says more.
            """
        case (.invited, .readers):
            """
            People register by a link. You and all who moderate a club make them: POST /v1/links (\(setting),
            --registration-links readers). `lectern help accounts` says more.
            """
        }
    }

    /// The URL of a server for clients on its machine. An address that means "all addresses" is none to connect to.
    private static func url(_ host: String, _ port: UInt16) -> String {
        let host = ["0.0.0.0", "::"].contains(host) ? "localhost" : host
        return "http://\(host.contains(":") ? "[\(host)]" : host):\(port)"
    }
}
