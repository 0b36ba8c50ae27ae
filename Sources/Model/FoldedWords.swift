/// The words of a text as they are folded, one after the other, with what stands between them.
struct FoldedWords {
    /// What stands between a word and the one before it.
    enum Link {
        /// Nothing: both are scalars of a script without spaces.
        case none
        /// One hyphen or slash.
        case hyphen
        /// One full stop.
        case stop
        /// One comma.
        case comma
        /// Spaces, maybe with full stops.
        case space
        case other
    }

    struct Word {
        let start: Int
        var end: Int
        let link: Link
        /// Whether it is a scalar of a script without spaces.
        let isUnspaced: Bool
        /// Whether more may come that belongs to it.
        var isOpen = false
        /// How many of its bytes come before its first apostrophe; 0 without one.
        var elided = 0
    }

    /// The words, with one space between two of them.
    private(set) var bytes: [UInt8] = []
    private(set) var words: [Word] = []
    /// How many words come before what is no part of the title proper: what is in parentheses.
    private(set) var mainCount = 0

    private var isInWord = false
    /// What has come since the last word; nil for nothing.
    private var gap: Link?

    subscript(_ word: Word) -> ArraySlice<UInt8> { bytes[word.start..<word.end] }

    /// A byte of a word of a script with spaces.
    mutating func add(_ byte: UInt8) {
        if !isInWord { begin(isUnspaced: false) }
        isInWord = true
        bytes.append(byte)
    }

    /// A scalar of a script without.
    mutating func add(_ scalar: Unicode.Scalar, _ part: UnspacedScripts.Part) {
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
        words.append(Word(start: bytes.count, end: bytes.count, link: link, isUnspaced: isUnspaced))
        gap = nil
    }

    /// What the last word has become.
    private mutating func close() {
        guard let last = words.indices.last, !words[last].isUnspaced else { return }
        words[last].end = gap == nil ? bytes.count : words[last].end
    }

    /// Something that is of no word.
    mutating func end(by link: Link) {
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

    /// Nothing comes any more.
    mutating func finish() {
        close()
        if mainCount == 0 { mainCount = words.count }
        // An apostrophe at the end elides nothing.
        for index in words.indices where words[index].elided == words[index].end - words[index].start {
            words[index].elided = 0
        }
    }
}
