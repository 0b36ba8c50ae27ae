/// `lectern completion SHELL`: prints a script by which a shell completes commands, flags, values and help topics.
func completion(_ arguments: CommandLineArguments) throws -> Int32 {
    let shells = SpellingHint.list(CompletionScript.allCases.map(\.rawValue))
    guard let shell = arguments.operands.first else {
        throw CommandLineArguments.Misuse(message: "completion needs the name of a shell: \(shells).")
    }
    guard let completion = CompletionScript(rawValue: shell) else {
        throw CommandLineArguments.Misuse(message: "The shell must be \(shells), not \"\(shell)\".")
    }
    print(completion.text, terminator: "")
    return 0
}

/// A shell for which there is a completion script.
enum CompletionScript: String, CaseIterable {
    case bash
    case zsh
    case fish

    var text: String {
        switch self {
        case .bash: "# bash completion for lectern. Load it with: source <(lectern completion bash)\n" + Self.bashScript
        case .zsh:
            """
            #compdef lectern
            # zsh completion for lectern. Save it as _lectern in a folder of $fpath, or after compinit run:
            # source <(lectern completion zsh)

            """ + Self.zshScript
        case .fish:
            "# fish completion for lectern. Save it as ~/.config/fish/completions/lectern.fish.\n" + Self.fishScript
        }
    }

    /// The commands, those of several words first: the first match of a command line is its command.
    static let commands = Subcommand.all.filter { $0.words.count > 1 } + Subcommand.all.filter { $0.words.count == 1 }

    /// The second words of commands, by their first word, in the order of the commands.
    static let secondWords: [(first: String, seconds: [String])] = firstWords.compactMap { first in
        let seconds = Subcommand.all.filter { $0.words.count > 1 && $0.words[0] == first }.map { $0.words[1] }
        return seconds.isEmpty ? nil : (first, seconds)
    }

    /// The first words of the commands, each once.
    static let firstWords: [String] = Subcommand.all.map { $0.words[0] }.reduce(into: []) { words, word in
        if !words.contains(word) { words.append(word) }
    }

    /// The words that `lectern help` takes.
    static let helpWords = firstWords + HelpTopic.all.map(\.name).filter { !firstWords.contains($0) }

    /// Returns the words of which an operand or value is one, or none for other values.
    static func words(_ form: FlagValueKind) -> [String] {
        switch form {
        case .choices(let words): words
        case .manual: helpWords
        case .file, .directory, .text: []
        }
    }

    /// Descriptions of the flags that are not settings.
    static let helpAbout = "Print the help"
    static let versionAbout = "Print the version"

    /// Quotes a text for bash and zsh.
    static func quoted(_ text: String) -> String { "'" + text.replacing("'", with: #"'\''"#) + "'" }
}
