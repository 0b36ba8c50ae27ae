/// A setting: on the command line as `--name VALUE`, in the environment as `LECTERN_NAME`. Related flags have a file
/// `Flag+Group.swift` with a list. `Arguments+Group.swift` reads those that are not plain texts.
struct Flag: Sendable {
    let name: String
    /// The name of the value in help; empty for a switch, which has none.
    let value: String
    let about: String
    let defaultValue: String?
    /// A Boolean value indicating whether the flag may be repeated. Its variable contains all values, separated by
    /// spaces.
    var isRepeated = false

    /// The environment variable for the flag.
    var variable: String { "LECTERN_" + name.uppercased().replacing("-", with: "_") }

    /// The flags of all commands, each once.
    static let all: [Flag] = Subcommand.all.flatMap(\.flags).reduce(into: []) { known, flag in
        if !known.contains(where: { $0.name == flag.name }) { known.append(flag) }
    }
}
