/// The length of a text and the control characters in it, read from its UTF-8. Decoding each character of a long text
/// would take an event loop longer than all its other work on the text.
struct TextLengthScan {
    /// The number of Unicode scalars.
    private(set) var length = 0
    /// A Boolean value indicating whether there are tabs, line feeds, or line or paragraph separators.
    private(set) var hasLineControls = false
    /// A Boolean value indicating whether there are other control characters.
    private(set) var hasOtherControls = false

    init(_ text: String) {
        let bytes = text.utf8Span.span
        for index in bytes.indices { record(bytes, at: index) }
    }

    private mutating func record(_ bytes: Span<UInt8>, at index: Int) {
        let byte = bytes[index]
        if byte & 0xC0 != 0x80 { length += 1 }
        switch byte {
        case 0x09, 0x0A: hasLineControls = true
        case 0x00..<0x20, 0x7F: hasOtherControls = true
        // U+0080…U+009F
        case 0xC2 where bytes[index + 1] < 0xA0: hasOtherControls = true
        // U+2028 and U+2029
        case 0xE2 where bytes[index + 1] == 0x80 && bytes[index + 2] & 0xFE == 0xA8: hasLineControls = true
        default: break
        }
    }
}
