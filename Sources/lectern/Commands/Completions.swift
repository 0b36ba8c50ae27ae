/// The words that may stand at the end of an unfinished command line.
struct Completions {
    /// The words with their descriptions.
    private(set) var words: [(word: String, about: String)] = []
    /// The kind of file names that may also stand there, or `nil`.
    private(set) var files: FlagValueKind?

    /// Finds the completions of a line, whose last word is unfinished.
    init(of line: [String]) {
        let (before, current) = (Array(line.dropLast()), line.last ?? "")
        if let last = before.last, let flag = CommandLineFlag.all.first(where: { last == "--\($0.name)" }),
            !flag.isSwitch
        {
            add(FlagValueKind(flag.value))
            return
        }
        let commands = Subcommand.all.filter { before.starts(with: $0.words) }
        let command = commands.max { $0.words.count < $1.words.count }
        guard !current.hasPrefix("-") else {
            words =
                (command ?? Subcommand.all.first { $0.name == "serve" })?.flags.map { ("--\($0.name)", $0.about) } ?? []
            words += [("--help", "Print the help")]
            if before.isEmpty { words.append(("--version", "Print the version")) }
            return
        }
        for next in Subcommand.all where next.words.count > before.count && next.words.starts(with: before) {
            let word = next.words[before.count]
            guard !words.contains(where: { $0.word == word }) else { continue }
            let whole = Subcommand.all.first { $0.words == before + [word] }
            words.append((word, whole?.about ?? "Commands that begin with \(word)"))
        }
        if let command, !command.operands.isEmpty { add(FlagValueKind(command.operands)) }
    }

    private mutating func add(_ kind: FlagValueKind) {
        switch kind {
        case .choices(let choices): words += choices.map { ($0, "") }
        case .manual: words += Self.helpWords.map { ($0, "") }
        case .file, .directory: files = kind
        case .text: break
        }
    }

    /// The words that `lectern help` takes.
    private static var helpWords: [String] {
        (Subcommand.all.map { $0.words[0] } + HelpTopic.all.map(\.name)).reduce(into: []) { words, word in
            if !words.contains(word) { words.append(word) }
        }
    }

    /// One completion a line: `:file`, `:directory`, or a word, a tab and its description.
    var text: String {
        let names = files.map { $0 == .file ? [":file"] : [":directory"] } ?? []
        return (names + words.map { "\($0.word)\t\($0.about)" }).map { $0 + "\n" }.joined()
    }
}
