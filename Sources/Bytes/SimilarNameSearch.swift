/// A search for the known name that is most similar to an unknown one.
package enum SimilarNameSearch {
    /// The maximum bytes of a compared name, which bounds the work. A longer one is similar to none.
    private static let bytesMax = 40

    /// Returns the known name that differs least, or `nil` if none is close. Case is ignored.
    ///
    /// - Parameter differencesMax: The maximum number of inserted, deleted and replaced letters. By default it grows
    ///   with the name's length, from zero to three.
    package static func nearest(
        _ name: String, among known: some Sequence<String>, differencesMax: Int? = nil
    ) -> String? {
        let letters = folded(name)
        guard (1...bytesMax).contains(letters.count) else { return nil }
        var least = differencesMax ?? (letters.count < 3 ? 0 : letters.count < 5 ? 1 : letters.count < 9 ? 2 : 3)
        var nearest: String?
        for candidate in known {
            let other = folded(candidate)
            guard other.count <= bytesMax, abs(other.count - letters.count) <= least else { continue }
            let differences = distance(letters, other)
            guard differences < least || differences == least && nearest == nil else { continue }
            (least, nearest) = (differences, candidate)
        }
        return nearest
    }

    private static func folded(_ name: String) -> [UInt8] { name.utf8.prefix(bytesMax + 1).map(\.lowercased) }

    /// Returns the Levenshtein distance.
    private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var row = Array(0...right.count)
        for (i, a) in left.enumerated() {
            var previous = row[0]
            row[0] = i + 1
            for (j, b) in right.enumerated() {
                let kept = row[j + 1]
                row[j + 1] = min(previous + (a == b ? 0 : 1), row[j] + 1, kept + 1)
                previous = kept
            }
        }
        return row[right.count]
    }
}
