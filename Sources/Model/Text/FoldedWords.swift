/// The folded words of a text, in order, with the separators between them.
struct FoldedWords {
    /// The words, separated by one space.
    private(set) var bytes: [UInt8] = []
    private(set) var words: [FoldedWord] = []
    /// The number of words before the first parenthesis, where the title proper ends.
    private(set) var mainCount = 0

    private var isInWord = false
    /// The separator since the last word, or `nil` for none.
    private var gap: WordSeparator?

    subscript(_ word: FoldedWord) -> ArraySlice<UInt8> { bytes[word.start..<word.end] }

    /// Appends a byte of a word in a script with spaces.
    mutating func add(_ byte: UInt8) {
        if !isInWord { begin(isUnspaced: false) }
        isInWord = true
        bytes.append(byte)
    }

    /// Appends a scalar of a script without spaces.
    mutating func add(_ scalar: Unicode.Scalar, _ part: WordScalarRole) {
        isInWord = false
        switch part {
        case .rest where gap == nil && words.last?.isUnspaced ?? false: break
        case .rest: begin(isUnspaced: true)
        case .word(let isOpen):
            begin(isUnspaced: true)
            words[words.count - 1].isOpen = isOpen
        }
        for byte in UTF8.encode(scalar) ?? .init() { bytes.append(byte) }
        words[words.count - 1].end = bytes.count
    }

    private mutating func begin(isUnspaced: Bool) {
        close()
        let link = gap ?? (isUnspaced && words.last?.isUnspaced ?? false ? .none : .other)
        if !bytes.isEmpty { bytes.append(UInt8(ascii: " ")) }
        words.append(FoldedWord(start: bytes.count, end: bytes.count, link: link, isUnspaced: isUnspaced))
        gap = nil
    }

    /// Sets the end of the last word.
    private mutating func close() {
        guard let last = words.indices.last, !words[last].isUnspaced else { return }
        words[last].end = gap == nil ? bytes.count : words[last].end
    }

    /// Ends the current word and notes the separator.
    mutating func end(by link: WordSeparator) {
        if gap == nil, let last = words.indices.last { words[last].end = bytes.count }
        isInWord = false
        gap =
            switch (gap, link) {
            case (nil, _): link
            case (.space, .space), (.stop, .space), (.space, .stop): .space
            default: .other
            }
    }

    mutating func take(ascii byte: UInt8) {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): add(byte)
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): add(byte | 0x20)
        case UInt8(ascii: "'"), UInt8(ascii: "`"):
            guard isInWord, words[words.count - 1].elided == 0 else { break }
            words[words.count - 1].elided = bytes.count - words[words.count - 1].start
        case UInt8(ascii: "&"):
            end(by: .space)
            add(byte)
            end(by: .space)
        case UInt8(ascii: " "): end(by: .space)
        case UInt8(ascii: "."): end(by: .stop)
        case UInt8(ascii: ","): end(by: .comma)
        case UInt8(ascii: "-"), UInt8(ascii: "/"): end(by: .hyphen)
        case UInt8(ascii: "("), UInt8(ascii: "["):
            if mainCount == 0 { mainCount = words.count }
            end(by: .other)
        default: end(by: .other)
        }
    }

    /// Ends the text.
    mutating func finish() {
        close()
        if mainCount == 0 { mainCount = words.count }
        // An apostrophe at the end of a word elides nothing.
        for index in words.indices where words[index].elided == words[index].end - words[index].start {
            words[index].elided = 0
        }
    }
}

struct FoldedWord {
    let start: Int
    var end: Int
    let link: WordSeparator
    /// A Boolean value indicating whether the word is a scalar of a script without spaces.
    let isUnspaced: Bool
    /// A Boolean value indicating whether further scalars may belong to the word.
    var isOpen = false
    /// The number of bytes before the first apostrophe, or 0 without one.
    var elided = 0
}

/// The separator between a word and the one before it.
enum WordSeparator {
    /// Nothing: both are scalars of a script without spaces.
    case none
    /// One hyphen or slash.
    case hyphen
    /// One full stop.
    case stop
    /// One comma.
    case comma
    /// Spaces, perhaps with full stops.
    case space
    case other
}
