/// `lectern help [COMMAND|TOPIC]`: prints the commands and topics, or the help of one of them.
func help(_ arguments: CommandLineArguments) throws {
    guard !arguments.operands.isEmpty else {
        print(HelpScreen().text, terminator: "")
        return
    }
    let commands = Subcommand.all.filter { $0.words.starts(with: arguments.operands) }
    let topics = HelpTopic.all.filter { [$0.name] == arguments.operands }
    guard !commands.isEmpty || !topics.isEmpty else {
        let words = arguments.operands.joined(separator: " ")
        let hint = SpellingHint.nearest(words, among: Subcommand.all.map(\.name) + HelpTopic.all.map(\.name)) {
            "`lectern help \($0)`"
        }
        throw CommandError.misused("There is no command and no topic \"\(words)\". \(hint ?? "See `lectern help`.")")
    }
    print((commands.map { HelpScreen(of: $0).text } + topics.map(\.text)).joined(separator: "\n"), terminator: "")
}
