import API
import HTTPServer
import Store

/// The text that the first start prints: the administrator's link and token, and a command to try the token.
struct FirstStartText {
    private let accounts: AccountSettings
    private let url: String
    private let browsers: BrowserSignIn

    /// Creates the text of a server with these settings.
    ///
    /// - Parameter url: The server's URL for clients.
    init(_ accounts: AccountSettings, url: String, _ browsers: BrowserSignIn) {
        (self.accounts, self.url, self.browsers) = (accounts, url, browsers)
    }

    /// Returns the whole text.
    ///
    /// - Parameter link: The link by which the administrator chooses a name and a password.
    func text(token: String, link: String) -> String {
        // A public origin on this machine has a certificate that its proxy made itself.
        let options = accounts.publicOrigin.map { $0.isSecure && $0.isLoopback } == true ? "-k " : ""
        return """
            This is a new data directory.
            \(way(link))
            The administrator's token for programs, which is shown only once, and a command to try it:

                \(token)

                curl \(options)-H 'Authorization: Bearer \(token)' \(url)/v1/me

            \(registration)

            """
    }

    /// Returns the paragraphs about the administrator's sign-in in a browser.
    private func way(_ link: String) -> String {
        let warning = browsers.warning.map { "\n\($0)\n" } ?? ""
        if browsers == .unavailable { return warning }
        return """
            Open this link in a browser within a day, to create the administrator's account. It works once:

                \(link)
            \(warning)
            """
    }

    /// The sentence about who can register, and how to change that.
    private var registration: String {
        let setting = "--registration \(accounts.registration.rawValue)"
        return switch (accounts.registration, accounts.linkMakers) {
        case (.open, _): "Everybody who reaches this server can register (\(setting))."
        case (.closed, _): "Nobody can register. Administrators add readers (\(setting))."
        case (.invited, .administrators):
            """
            People register with a link that you create: POST /v1/links (\(setting), --registration-links administrators).
            See `lectern help accounts`.
            """
        case (.invited, .readers):
            """
            People register with a link. You and the moderators of clubs create them: POST /v1/links (\(setting),
            --registration-links readers). See `lectern help accounts`.
            """
        }
    }
}

extension BrowserSignIn {
    /// The warning for an operator if sign-in is not encrypted or not possible.
    var warning: String? {
        switch self {
        case .secure: nil
        case .unencrypted:
            """
            Sign-in is not encrypted, because --public-url begins with http://. Others on the network can read passwords.
            Use it only on your own network.
            """
        case .unavailable:
            """
            Browsers cannot sign in, because other machines can reach this server and --public-url is not set. Set it to
            https://… or, on your own network, to http://…
            """
        }
    }
}
