func helpText(_ command: Command) -> String {
    var text = "lectern \(command.name)"
    if !command.operands.isEmpty { text += " \(command.operands)" }
    text += "\n  \(command.about)\n"
    for flag in command.flags { text += line(flag) }
    return text
}

/// `lectern help [COMMAND]`.
func help(_ arguments: Arguments) throws -> Int32 {
    if arguments.operands.isEmpty {
        print("Lectern, a backend for reading together.\n\nCommands:")
        for command in Command.all {
            let usage = "lectern \(command.name) \(command.operands)"
            print("  " + padded(usage, 34) + command.about)
        }
        print("\nSettings, as flags or variables:")
        for flag in Flag.all { print(line(flag), terminator: "") }
        print("\n`lectern help COMMAND` says which of them a command takes. Exit codes: 0 done, 1 failed, 2 wrong use.")
        return 0
    }
    let known = Command.all.filter { $0.words.starts(with: arguments.operands) }
    guard !known.isEmpty else {
        throw Arguments.Misuse(message: "There is no command \"\(arguments.operands.joined(separator: " "))\".")
    }
    for command in known { print(helpText(command), terminator: "") }
    return 0
}

private func line(_ flag: Flag) -> String {
    let fallback = flag.fallback.map { " (\($0))" } ?? ""
    return "  " + padded("--\(flag.name) \(flag.value)", 24) + padded(flag.variable, 26) + "\(flag.about)\(fallback)\n"
}

func padded(_ text: String, _ width: Int) -> String {
    text.count < width ? text + String(repeating: " ", count: width - text.count) : text + " "
}
