package import Model

/// The key that makes a request safe to repeat: within a day the same key returns the same outcome.
package struct IdempotencyKey: Sendable {
    let readerKey: Int64
    let key: String
    let request: SHA256Digest

    /// Creates the key that a reader sent with a request of that digest.
    package init(readerKey: Int64, key: String, request: SHA256Digest) {
        self.readerKey = readerKey
        self.key = key
        self.request = request
    }
}
