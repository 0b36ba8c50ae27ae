func helpText(_ command: Subcommand) -> String {
    var text = "lectern \(command.name)"
    if !command.operands.isEmpty { text += " \(command.operands)" }
    text += "\n  \(command.about)\n"
    for flag in command.flags { text += line(flag) }
    return text
}

/// `lectern help [COMMAND|TOPIC]`: prints the commands, flags and topics, or the help for one of them.
func help(_ arguments: Arguments) throws -> Int32 {
    if arguments.operands.isEmpty {
        print("Lectern, a backend for reading together.\n\nCommands:")
        for command in Subcommand.all {
            let usage = "lectern \(command.name) \(command.operands)"
            print("  " + padded(usage, 34) + command.about)
        }
        print("\nSettings, as flags or variables:")
        for flag in Flag.all { print(line(flag), terminator: "") }
        print("\nTopics:")
        for topic in HelpTopic.all { print("  " + padded("lectern help \(topic.name)", 34) + topic.title) }
        print(
            "\n`lectern help COMMAND` lists the settings of a command. Exit codes: 0 done, 1 failed, 2 wrong use.")
        return 0
    }
    let known = Subcommand.all.filter { $0.words.starts(with: arguments.operands) }
    let topics = HelpTopic.all.filter { [$0.name] == arguments.operands }
    guard !known.isEmpty || !topics.isEmpty else {
        let words = arguments.operands.joined(separator: " ")
        let hint = Arguments.nearest(
            words, Subcommand.all.map(\.name) + HelpTopic.all.map(\.name), prefix: "lectern help ")
        throw Arguments.Misuse(message: "There is no command and no topic \"\(words)\". \(hint)")
    }
    for command in known { print(helpText(command), terminator: "") }
    if !known.isEmpty, !topics.isEmpty { print() }
    for topic in topics { print(topic.text, terminator: "") }
    return 0
}

private func line(_ flag: Flag) -> String {
    let fallback = flag.defaultValue.map { " (\($0))" } ?? ""
    return "  " + padded("--\(flag.name) \(flag.value)", 24) + padded(flag.variable, 26) + "\(flag.about)\(fallback)\n"
}

func padded(_ text: String, _ width: Int) -> String {
    text.count < width ? text + String(repeating: " ", count: width - text.count) : text + " "
}
