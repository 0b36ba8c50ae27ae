internal import CTables

/// The decomposition of a text into the form that all compatible texts share (UAX 15, NFKD, of Unicode 15).
///
/// Foundation does that, too, but brings all of ICU with it, which is larger than the rest of the program.
struct UnicodeDecomposition: Sendable {
    private static let table = UnicodeDecomposition()

    /// The index in `keys` of the first key of each block of 256 scalars.
    private let pages: [Int]
    private let keys: [UInt32]
    /// The index in `parts` of the first part of each key.
    private let starts: [Int]
    private let parts: [Unicode.Scalar]

    /// Returns the scalars of a text, decomposed, with marks in canonical order.
    static func scalars(of text: String) -> [Unicode.Scalar] {
        var taken: [Unicode.Scalar] = []
        taken.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            if scalar.isASCII { taken.append(scalar) } else { table.append(scalar, to: &taken) }
        }
        order(&taken)
        return taken
    }

    private init() {
        let bytes = UnsafeBufferPointer(start: lectern_decompositions(), count: lectern_decompositions_count())
        var keys: [UInt32] = []
        var starts: [Int] = []
        var parts: [Unicode.Scalar] = []
        var number: UInt32 = 0
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): number = number << 4 | UInt32(byte - UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f"): number = number << 4 | UInt32(byte - UInt8(ascii: "a") + 10)
            case UInt8(ascii: ":"):
                keys.append(number)
                starts.append(parts.count)
                number = 0
            default:
                if let part = Unicode.Scalar(number) { parts.append(part) }
                number = 0
            }
        }
        var pages: [Int] = []
        for (index, key) in keys.enumerated() {
            while pages.count <= key >> 8 { pages.append(index) }
        }
        pages.append(keys.count)
        starts.append(parts.count)
        (self.pages, self.keys, self.starts, self.parts) = (pages, keys, starts, parts)
    }

    private func append(_ scalar: Unicode.Scalar, to taken: inout [Unicode.Scalar]) {
        if (0xAC00...0xD7A3).contains(scalar.value) { return Self.append(syllable: scalar.value - 0xAC00, to: &taken) }
        let page = Int(scalar.value >> 8)
        if page + 1 < pages.count {
            var (low, high) = (pages[page], pages[page + 1])
            while low < high {
                let middle = (low + high) / 2
                if keys[middle] < scalar.value { low = middle + 1 } else { high = middle }
            }
            if low < pages[page + 1], keys[low] == scalar.value {
                taken.append(contentsOf: parts[starts[low]..<starts[low + 1]])
                return
            }
        }
        taken.append(scalar)
    }

    /// Appends the letters of a Hangul syllable, which follow from its number.
    private static func append(syllable: UInt32, to taken: inout [Unicode.Scalar]) {
        let letters = [0x1100 + syllable / 588, 0x1161 + syllable % 588 / 28, 0x11A7 + syllable % 28]
        for letter in syllable % 28 == 0 ? letters.dropLast() : letters[...] {
            if let letter = Unicode.Scalar(letter) { taken.append(letter) }
        }
    }

    /// Sorts consecutive marks by their combining class. Marks of one class keep their order.
    private static func order(_ taken: inout [Unicode.Scalar]) {
        func rank(_ scalar: Unicode.Scalar) -> UInt8 {
            scalar.value < 0x300 ? 0 : scalar.properties.canonicalCombiningClass.rawValue
        }
        var first = 0
        while first < taken.count {
            guard rank(taken[first]) != 0 else {
                first += 1
                continue
            }
            let end = taken[first...].firstIndex { rank($0) == 0 } ?? taken.count
            let isOrdered = zip(taken[first..<end], taken[(first + 1)..<end]).allSatisfy { rank($0) <= rank($1) }
            if !isOrdered { taken[first..<end].sort { rank($0) < rank($1) } }
            first = end
        }
    }
}
