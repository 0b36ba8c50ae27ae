/// The scripts without spaces between words, and Hangul, whose spaces people leave out. Each scalar is a word, and
/// searches look for a run of them as it is.
enum UnspacedScripts {
    /// Returns the role of a decomposed scalar, or `nil` for one of another script.
    static func part(_ scalar: Unicode.Scalar) -> WordScalarRole? {
        switch scalar.value {
        case ..<0x0E00: nil
        case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1780...0x17FF, 0x19E0...0x19FF, 0xA9E0...0xA9FF, 0xAA60...0xAA7F:
            // Thai and Lao, Burmese, Khmer.
            .word(isOpen: false)
        case 0x1100...0x115F, 0xA960...0xA97C: .word(isOpen: true)
        case 0x1160...0x11FF, 0xD7B0...0xD7FF, 0x3099, 0x309A: .rest
        case 0x2E80...0x2FDF, 0x3005...0x3007, 0x3021...0x3029, 0x3031...0x3035, 0x3038...0x303C, 0x3041...0x312F,
            0x31A0...0x31FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0x1AFF0...0x1B16F, 0x20000...0x3FFFF:
            .word(isOpen: false)
        default: nil
        }
    }
}

/// The role of a scalar: it begins a word or continues one.
enum WordScalarRole {
    /// A word. `isOpen` means that further scalars may belong to it, as while a syllable of Hangul is being typed.
    case word(isOpen: Bool)
    /// A continuation of the scalar before: a dakuten, or the vowel or the last consonant of a syllable.
    case rest
}
