import FoundationEssentials
import Glibc

/// A settings file, with one `NAME=VALUE` in each line, where NAME is a variable's name. The value is the trimmed text
/// after the first `=`. Empty lines and lines that begin with `#` are ignored.
struct SettingsFile {
    /// The values by their variables, each with its place for messages: the file, the line and the variable.
    let values: [String: (text: String, place: String)]

    init(path: String) throws(CommandError) {
        guard let text = Self.text(path) else {
            throw .misused("\(path) cannot be read: \(String(cString: strerror(errno))).")
        }
        try self.init(text, path: path)
    }

    init(_ text: String, path: String) throws(CommandError) {
        var values: [String: (text: String, place: String)] = [:]
        // Some editors begin a file with a byte order mark.
        let text = text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text
        for (number, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let line = line.trimmed
            if line.isEmpty || line.hasPrefix("#") { continue }
            let place = "\(path), line \(number + 1): "
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = parts[0].trimmed
            guard parts.count == 2,
                CommandLineFlag.all.contains(where: { $0.variable == name && $0.name != CommandLineFlag.settings.name })
            else {
                // The message omits the value, which may be a secret: it is logged.
                let hint =
                    SpellingHint.nearest(name, among: CommandLineFlag.all.map(\.variable)) { $0 }
                    ?? "See `lectern help settings`."
                let what =
                    parts.count < 2
                    ? "this line is not VARIABLE=VALUE."
                    : name == CommandLineFlag.settings.variable
                        ? "a settings file does not name another one." : "\(name) is not a setting. \(hint)"
                throw .misused(place + what)
            }
            guard values[name] == nil else {
                throw .misused("\(place)\(name) is given twice.")
            }
            values[name] = (parts[1].trimmed, place + name)
        }
        self.values = values
    }

    /// Returns the first mebibyte of a file. On failure returns `nil`, and `errno` has the reason.
    private static func text(_ path: String) -> String? {
        var state = stat()
        guard stat(path, &state) == 0, access(path, R_OK) == 0 else { return nil }
        // A pipe would block the program until a writer opens it.
        guard state.st_mode & S_IFMT == S_IFREG else {
            errno = EINVAL
            return nil
        }
        return FileManager.default.contents(atPath: path).map { String(decoding: $0.prefix(1 << 20), as: UTF8.self) }
    }
}
