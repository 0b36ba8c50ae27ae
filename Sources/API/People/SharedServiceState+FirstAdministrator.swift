import Model
import Store

extension SharedServiceState {
    /// Creates a token for the first administrator, with the given text or a new one, and waits until it is on disk.
    /// Returns its text, which is stored nowhere.
    func issueAdministratorToken(name: String, text: String? = nil) throws(RequestError) -> String {
        guard let secret = text.map({ TokenSecret(chosen: $0) }) ?? TokenSecret() else {
            throw .internalError("no token has \(Service.tokenRule)")
        }
        try asAdministrator { _ in .createToken(TokenDraft(name: name), secret.digest) }
        return secret.text
    }

    /// Creates a link by which the first administrator chooses a name and a password, and waits until it is on disk.
    func issueAdministratorLink() throws(RequestError) -> String {
        let secret = TokenSecret(prefix: "\(OneTimeLinkPurpose.reset.rawValue)_")
        try asAdministrator { viewer in
            let draft = OneTimeLinkDraft(.reset, of: viewer.reader, now: .now)
            return .createLink(draft, accounts.settings.registrationPolicy, secret.digest)
        }
        return accounts.url(ofLink: secret.text)
    }

    /// Runs a command on behalf of the first administrator, and waits until it is on disk.
    private func asAdministrator(_ command: (Viewer) -> Command) throws(RequestError) {
        let viewer: Viewer?
        do {
            viewer = try store.makeReadConnection().localAdministrator()
        } catch let error as RequestError {
            throw error
        } catch {
            throw .internalError("\(error)")
        }
        guard let viewer else { throw .internalError("there is no administrator") }
        try store.run(command(viewer), as: CommandActor(viewer))
    }
}
