/// The help of the program, or of a command.
struct HelpScreen {
    let text: String

    /// Lists the commands and topics.
    init() {
        var text = """
            Lectern, a backend for reading together.

            Usage: lectern [COMMAND] [FLAG…]

            """
        let column = HelpTextLayout.column(for: Subcommand.all.map(\.usage))
        for group in SubcommandGroup.all {
            text += "\n\(group.title)\n"
            for command in group.commands { text += HelpTextLayout.entry(command.usage, command.about, column: column) }
        }
        text += "\nTopics\n"
        for line in HelpTextLayout.lines(
            of: HelpTopic.all.map(\.name).joined(separator: ", "), width: HelpTextLayout.width - 2)
        {
            text += "  \(line)\n"
        }
        text += """

            Read on: `lectern COMMAND --help`, `lectern help TOPIC`. `lectern help help` explains the topics.
            Exit codes: 0 done, 1 failed, 2 wrong use.

            """
        self.text = text
    }

    /// Explains a command and its flags.
    init(of command: Subcommand) {
        let flags = command.flags.isEmpty ? "" : " [FLAG…]"
        var text = Self.paragraph("\(command.about).")
        if !command.details.isEmpty { text += Self.paragraph(command.details) }
        text += "\nUsage: lectern \(command.usage)\(flags)\n"
        let column = HelpTextLayout.column(for: command.flags.map(\.usage))
        for group in command.flagGroups {
            text += "\n\(group.title)\n"
            for flag in group.flags { text += HelpTextLayout.entry(flag.usage, Self.description(flag), column: column) }
        }
        if command.isHelp {
            let column = HelpTextLayout.column(for: HelpTopic.all.map(\.name))
            text += "\nTopics\n"
            for topic in HelpTopic.all { text += HelpTextLayout.entry(topic.name, String(topic.title), column: column) }
        }
        text += "\nExample\n  lectern \(command.example)\n"
        if !command.topics.isEmpty {
            let topics = command.topics.map { HelpTextLayout.unbroken("`lectern help \($0)`") }.joined(separator: ", ")
            text += "\n" + Self.paragraph("Read on: \(topics).")
        }
        self.text = text
    }

    private static func paragraph(_ text: String) -> String {
        HelpTextLayout.lines(of: text).joined(separator: "\n") + "\n"
    }

    /// Returns a flag's description, with its default and its variable.
    private static func description(_ flag: CommandLineFlag) -> String {
        let notes = ["[default: \(flag.defaultText)]", "[env: \(flag.variable)]"].map(HelpTextLayout.unbroken)
        return ([flag.about] + notes).joined(separator: " ")
    }
}
