import Model
import Passwords
import Store

/// What the password thread does for a request before anything can be decided: it gives what follows, or why nothing does.
typealias PasswordWork = @Sendable (PasswordHasher) -> Result<PasswordFinding, LecternError>

/// What follows once a password has been looked at.
enum PasswordFinding: Sendable {
    /// With what is done once it is on disk.
    case command(Command, then: (@Sendable () -> Void)? = nil)
    case errand(Errand)
}

extension PasswordHasher {
    /// The hash of a password, for a command that keeps it.
    func made(
        _ password: Password, then: (@Sendable () -> Void)? = nil, _ command: (String) -> Command
    ) -> Result<PasswordFinding, LecternError> {
        guard let hash = hash(password) else {
            return .failure(.internalError("crypt(3) makes no yescrypt hash: is there too little memory?"))
        }
        return .success(.command(command(hash), then: then))
    }
}

/// A write that waits for the password thread.
struct PendingPassword: Sendable {
    let work: PasswordWork
    let viewer: Viewer
    let asker: Asker
    let exchange: Exchange
    /// As what it was counted.
    let guess: Guess

    /// The write of what was found.
    func write(_ command: Command) -> PendingWrite {
        PendingWrite(viewer: viewer, command: command, asker: asker, idempotency: nil, exchange: exchange)
    }
}
