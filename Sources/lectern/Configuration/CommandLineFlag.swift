/// A setting: on the command line as `--name VALUE`, in the environment as `LECTERN_NAME`. Related flags are a
/// `CommandLineFlagGroup` in a file `CommandLineFlag+Group.swift`. A flag with a number ends in the number's unit, unless it counts things.
struct CommandLineFlag: Sendable {
    let name: String
    /// The notation of the value in usage texts: a placeholder, or the choices with `|` between them. Empty for a
    /// switch, which has no value.
    let value: String
    /// The value that an absent flag has, or `nil`.
    let defaultValue: String?
    /// The default in help texts.
    let defaultText: String
    /// A Boolean value indicating whether the flag may be repeated. Its variable contains all values, separated by
    /// spaces.
    let isRepeated: Bool
    /// A Boolean value indicating whether SIGHUP applies the settings file's value, by
    /// `CommandLineArguments.setReloadable`.
    let isReloadable: Bool
    /// The description in help texts.
    let about: String

    /// Creates a flag.
    ///
    /// - Parameter unset: The behavior without the flag and without a default value, for help texts.
    init(
        _ name: String, _ value: String, default defaultValue: String? = nil, unset: String = "none",
        isRepeated: Bool = false, isReloadable: Bool = false, about: String
    ) {
        (self.name, self.value, self.defaultValue, self.about) = (name, value, defaultValue, about)
        (defaultText, self.isRepeated, self.isReloadable) = (defaultValue ?? unset, isRepeated, isReloadable)
    }

    /// Creates a switch.
    init(switch name: String, about: String) { self.init(name, "", unset: "off", about: about) }

    var isSwitch: Bool { value.isEmpty }

    /// The values among which there is a choice, or one placeholder.
    var choices: [String] { value.split(separator: "|").map(String.init) }

    /// The environment variable for the flag.
    var variable: String { "LECTERN_" + name.uppercased().replacing("-", with: "_") }

    /// The flag with its value, as in usage texts.
    var usage: String { isSwitch ? "--\(name)" : "--\(name) \(value)" }

    /// The flags of all commands, each once.
    static let all: [CommandLineFlag] = Subcommand.all.flatMap(\.flags).reduce(into: []) { known, flag in
        if !known.contains(where: { $0.name == flag.name }) { known.append(flag) }
    }
}

/// Related flags, with a heading for help texts.
struct CommandLineFlagGroup: Sendable {
    let title: String
    let flags: [CommandLineFlag]

    init(_ title: String, _ flags: [CommandLineFlag]) { (self.title, self.flags) = (title, flags) }
}
