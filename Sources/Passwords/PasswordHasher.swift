internal import Bytes
internal import CLinux

/// A hasher that creates and checks password hashes with yescrypt, by libxcrypt. Each operation takes the hasher's cost
/// in memory and some tens of milliseconds. It must therefore run on a thread that no other thread waits for.
package struct PasswordHasher: Sendable {
    /// The cost parameter of `clinux_crypt_setting`.
    private let cost: Int32
    /// A hash that is checked when there is no account, to take the same time.
    private let decoy: String

    /// Creates a hasher that uses a number of mebibytes, from 1 to 1,024 and rounded down to a power of two. Returns
    /// `nil` if crypt(3) does not support yescrypt.
    package init?(mebibytes: Int) {
        let bounded = UInt32(clamping: max(1, min(mebibytes, 1024)))
        cost = Int32(32 - bounded.leadingZeroBitCount)
        guard let decoy = Self.hash(Password(given: "nobody's"), cost) else { return nil }
        self.decoy = decoy
    }

    /// Returns the hash of a password with a new salt, or `nil` if memory runs out.
    package func hash(_ password: Password) -> String? { Self.hash(password, cost) }

    /// Returns whether a password matches a hash. If the hash is `nil`, because there is no account, or is invalid, the
    /// result is `false` after the time that the check of `other`, or by default of a new hash, takes.
    package func check(_ password: Password, against known: String?, orLike other: String? = nil) -> Bool {
        for (hash, isKnown) in [(known, true), (other, false), (decoy, false)] {
            guard let hash, let made = Self.crypt(password, hash) else { continue }
            return areEqualInConstantTime(made, hash) && isKnown
        }
        return false
    }

    /// Returns whether a hash has another cost than new ones. Then its check takes another time, and it should be
    /// created again.
    package func isStale(_ hash: String) -> Bool {
        func setting(_ hash: String) -> Substring { hash.dropFirst(3).prefix { $0 != "$" } }
        return !setting(hash).utf8.elementsEqual(setting(decoy).utf8)
    }

    private static func hash(_ password: Password, _ cost: Int32) -> String? {
        var setting = [CChar](repeating: 0, count: Int(CLINUX_CRYPT_TEXT))
        guard clinux_crypt_setting(cost, &setting) == 0 else { return nil }
        return crypt(password, text(setting))
    }

    private static func crypt(_ password: Password, _ setting: String) -> String? {
        var made = [CChar](repeating: 0, count: Int(CLINUX_CRYPT_TEXT))
        guard clinux_crypt(password.phrase, setting, &made) == 0 else { return nil }
        return text(made)
    }

    private static func text(_ characters: [CChar]) -> String {
        String(decoding: characters.prefix { $0 != 0 }.map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)
    }
}
