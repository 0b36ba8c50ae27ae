import Model
import Passwords
import Store

/// What the password thread does for a request before anything can be decided: it gives the command that follows, or why none does.
typealias PasswordWork = @Sendable (PasswordHasher) -> Result<Command, LecternError>

extension PasswordHasher {
    /// The hash of a password, for a command that keeps it.
    func made(_ password: Password, _ command: (String) -> Command) -> Result<Command, LecternError> {
        guard let hash = hash(password) else {
            return .failure(.internalError("crypt(3) makes no yescrypt hash: is there too little memory?"))
        }
        return .success(command(hash))
    }
}

/// A write that waits for the password thread.
struct PendingPassword: Sendable {
    let work: PasswordWork
    let viewer: Viewer
    let asker: Asker
    let exchange: Exchange
    /// What is to be done where the thread takes no more.
    let unless: @Sendable () -> Void

    /// The write of what was found.
    func write(_ command: Command) -> PendingWrite {
        PendingWrite(viewer: viewer, command: command, asker: asker, idempotency: nil, exchange: exchange)
    }
}
