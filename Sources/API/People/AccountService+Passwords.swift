import Model
import Passwords

extension AccountService {
    /// Runs work on the password thread. A guess for which the thread has no room is not counted.
    func onPasswordThread<Value: Sendable>(
        _ guess: CountedPasswordGuess, _ work: @escaping @Sendable (PasswordHasher) throws(RequestError) -> Value
    ) async throws(RequestError) -> Value {
        let result: Result<Value, RequestError> = await withCheckedContinuation { continuation in
            do throws(PasswordThread.Full) {
                try passwords.submit(for: guess.parties) { hasher in
                    continuation.resume(
                        returning: Result { () throws(RequestError) in
                            guard let hasher else { throw .internalError("crypt(3) makes no yescrypt hash") }
                            return try work(hasher)
                        })
                }
            } catch {
                takeBack(guess)
                continuation.resume(returning: .failure(busy(error)))
            }
        }
        return try result.get()
    }
}

extension PasswordHasher {
    /// Returns the hash of a password, or throws if it cannot be made.
    func hashed(_ password: Password) throws(RequestError) -> String {
        guard let hash = hash(password) else {
            throw .internalError("crypt(3) makes no yescrypt hash: is there too little memory?")
        }
        return hash
    }
}
