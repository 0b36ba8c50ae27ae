/// Sequences in passwords: consecutive letters and digits, neighbouring keys and repeated characters, forwards and
/// backwards.
enum PasswordPattern {
    /// Rows of keyboards: QWERTY, QWERTZ and AZERTY.
    private static let rows = [
        "1234567890", "qwertyuiop", "asdfghjkl", "zxcvbnm", "qwertzuiop", "yxcvbnm", "azertyuiop", "qsdfghjklm",
        "wxcvbn",
    ].map { Array($0.unicodeScalars) }

    /// The minimum length of a sequence.
    private static let sequenceMin = 3

    /// Returns the number of sequences and other characters in a password.
    static func pieces(of scalars: [Unicode.Scalar]) -> Int {
        var (pieces, start) = (0, 0)
        while start < scalars.count {
            let count = sequence(in: scalars, at: start)
            start += count >= sequenceMin ? count : 1
            pieces += 1
        }
        return pieces
    }

    /// Returns the length of the sequence that begins at an index.
    private static func sequence(in scalars: [Unicode.Scalar], at start: Int) -> Int {
        var (sequenceKinds, end) = (Set<Int>?.none, start + 1)
        while end < scalars.count {
            let next = self.sequenceKinds(from: scalars[end - 1], to: scalars[end])
            let common = sequenceKinds.map(next.intersection) ?? next
            if common.isEmpty { break }
            (sequenceKinds, end) = (common, end + 1)
        }
        return end - start
    }

    /// Returns the numbers of the kinds of sequence that contain `next` directly after `one`, such as a row of keys.
    private static func sequenceKinds(from one: Unicode.Scalar, to next: Unicode.Scalar) -> Set<Int> {
        if one == next { return [0] }
        var sequenceKinds: Set<Int> = []
        let areSameKind =
            one.properties.isAlphabetic && next.properties.isAlphabetic
            || one.properties.numericType != nil && next.properties.numericType != nil
        let distance = Int(next.value) - Int(one.value)
        if areSameKind, abs(distance) == 1 { sequenceKinds.insert(distance) }
        for (number, row) in rows.enumerated() {
            guard let place = row.firstIndex(of: one) else { continue }
            if place + 1 < row.count, row[place + 1] == next { sequenceKinds.insert(2 + 2 * number) }
            if place > 0, row[place - 1] == next { sequenceKinds.insert(3 + 2 * number) }
        }
        return sequenceKinds
    }
}
