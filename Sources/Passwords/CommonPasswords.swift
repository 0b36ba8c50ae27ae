internal import CTables
internal import Model

/// The most common leaked passwords: a sorted table of fingerprints, which `.ci/passwords` makes.
enum CommonPasswords {
    private static let width = 4

    /// The number of passwords in the table.
    static var count: Int { lectern_passwords_count() / width }

    /// Returns whether a password, in lower case, is in the table.
    static func contains(_ folded: String) -> Bool {
        let wanted = SHA256.digest(of: Array(folded.utf8)).words[0]
        // SAFETY: the table is a constant of the program, and has the given length.
        let table = UnsafeRawBufferPointer(start: lectern_passwords(), count: lectern_passwords_count())
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            let found = UInt32(bigEndian: table.loadUnaligned(fromByteOffset: middle * width, as: UInt32.self))
            if found == wanted { return true }
            if found < wanted { low = middle + 1 } else { high = middle }
        }
        return false
    }
}
