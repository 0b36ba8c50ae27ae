/// A text from elsewhere as a terminal may have it: control characters, which it would obey, are shown as their numbers, and
/// so are the marks that turn the direction of what follows. Line feeds stay.
func printable(_ text: String) -> String {
    var shown = ""
    for scalar in text.unicodeScalars {
        switch scalar.value {
        case 0x0A: shown += "\n"
        case 0x00..<0x20, 0x7F...0x9F, 0x2028...0x202E, 0x2066...0x2069:
            shown += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
        default: shown.unicodeScalars.append(scalar)
        }
    }
    return shown
}
