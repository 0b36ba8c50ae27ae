import Model
import Passwords
import Store

/// Work of the password thread for a request. Returns the next step, or an error.
typealias PasswordWork = @Sendable (PasswordHasher) -> Result<PasswordWorkResult, RequestError>

/// The next step after a password was checked or hashed.
enum PasswordWorkResult: Sendable {
    /// A command, and a function to call when it is on disk.
    case command(Command, then: (@Sendable () -> Void)? = nil)
    case outboundJob(OutboundJob)
}

extension PasswordHasher {
    /// Hashes a password, and returns the command that stores the hash.
    func made(
        _ password: Password, then: (@Sendable () -> Void)? = nil, _ command: (String) -> Command
    ) -> Result<PasswordWorkResult, RequestError> {
        guard let hash = hash(password) else {
            return .failure(.internalError("crypt(3) makes no yescrypt hash: is there too little memory?"))
        }
        return .success(.command(command(hash), then: then))
    }
}

/// A write that waits for the password thread.
struct PendingPassword: Sendable {
    let work: PasswordWork
    let actor: CommandActor
    let exchange: ResponseContext
    /// The password of the request, as it was counted against the limits on guesses.
    let guess: CountedPasswordGuess

    /// Returns the write of the command that the password work resulted in.
    func pendingWrite(of command: Command) -> PendingWrite {
        PendingWrite(command: command, actor: actor, idempotency: nil, exchange: exchange)
    }
}
