/// A setting: on the command line as `--name VALUE`, in the environment as `LECTERN_NAME`. What belongs together stands in a file,
/// `Flag+Group.swift`, with a list, and is read in `Arguments+Group.swift`, where it is more than a text.
struct Flag: Sendable {
    let name: String
    /// What its value is called; empty for a switch, which takes none.
    let value: String
    let about: String
    let fallback: String?
    /// Whether it may be given more than once; its variable has all values, with spaces between them.
    var isRepeated = false

    /// The environment variable of the same name.
    var variable: String { "LECTERN_" + name.uppercased().replacing("-", with: "_") }

    /// All that any command takes, each once.
    static let all: [Flag] = Command.all.flatMap(\.flags).reduce(into: []) { known, flag in
        if !known.contains(where: { $0.name == flag.name }) { known.append(flag) }
    }
}
