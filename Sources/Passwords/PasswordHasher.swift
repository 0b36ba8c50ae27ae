internal import CLinux

/// Makes and checks hashes of passwords: yescrypt, by libxcrypt. Each takes the hasher's cost in memory, and some tens of milliseconds:
/// so it is for one thread only, which nobody waits for.
package struct PasswordHasher: Sendable {
    /// See `clinux_crypt_setting`.
    private let cost: Int32
    /// What is looked at where there is no account: it takes as long.
    private let decoy: String

    /// Nil when crypt(3) has no yescrypt. So many mebibytes, rounded down to a power of two, of 1 to 1,024.
    package init?(mebibytes: Int) {
        let bounded = UInt32(clamping: max(1, min(mebibytes, 1024)))
        cost = Int32(32 - bounded.leadingZeroBitCount)
        guard let decoy = Self.hash(Password(said: "nobody's"), cost) else { return nil }
        self.decoy = decoy
    }

    /// The hash of a password, with a salt of its own; nil when memory runs out.
    package func hash(_ password: Password) -> String? { Self.hash(password, cost) }

    /// Whether a password is the one that has that hash. Nobody's, nil, is none, and it takes as long to say so.
    package func check(_ password: Password, against known: String?) -> Bool {
        let isRight = Self.crypt(password, known ?? decoy).map { Self.areSame($0, known ?? decoy) } ?? false
        return isRight && known != nil
    }

    /// Whether a hash was made with another cost than new ones are: then it takes another time to check, and should be made anew.
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

    /// In the same time wherever they differ.
    private static func areSame(_ left: String, _ right: String) -> Bool {
        let (left, right) = (Array(left.utf8), Array(right.utf8))
        guard left.count == right.count else { return false }
        var difference: UInt8 = 0
        for index in left.indices { difference |= left[index] ^ right[index] }
        return difference == 0
    }
}
