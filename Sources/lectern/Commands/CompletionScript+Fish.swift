extension CompletionScript {
    /// Its function prints the command of the command line, its first word if a second one is missing, or `none`.
    static var fishScript: String {
        """
        function __lectern_command
            set -l words (commandline -opc)[2..-1]
            switch "$words"
        \(fishCommands.joined(separator: "\n"))
                case '-*'
                    echo serve
                case ''
                    echo none
            end
        end
        complete -c lectern -f
        complete -c lectern -n 'contains none (__lectern_command)' -s v -l version -d '\(versionAbout)'
        complete -c lectern -s h -l help -d '\(helpAbout)'
        \(fishWords.joined(separator: "\n"))
        \(Subcommand.all.flatMap(fishRules).joined(separator: "\n"))

        """
    }

    /// The cases of a switch that finds the command.
    private static var fishCommands: [String] {
        let groups = secondWords.map(\.first).filter { first in !Subcommand.all.contains { $0.words == [first] } }
        return (commands.map(\.name) + groups).map { name in
            "        case '\(name)' '\(name) *'\n            echo '\(name)'"
        }
    }

    /// The rules that complete the words of commands.
    private static var fishWords: [String] {
        let first = firstWords.map { word in
            let seconds = secondWords.first { $0.first == word }?.seconds ?? []
            let about = Subcommand.all.first { $0.words == [word] }?.about ?? SpellingHint.list(seconds)
            return "complete -c lectern -n 'contains none (__lectern_command)' -a \(word) -d \(fishQuoted(about))"
        }
        let second = Subcommand.all.filter { $0.words.count > 1 }.map { command in
            "complete -c lectern -n 'contains \(command.words[0]) (__lectern_command)' -a \(command.words[1])"
                + " -d \(fishQuoted(command.about))"
        }
        return first + second
    }

    /// The rules for a command's flags and operands. The flags of `serve` are also those of the program alone.
    private static func fishRules(_ command: Subcommand) -> [String] {
        let condition =
            command.words == ["serve"]
            ? "'contains -- (__lectern_command) serve none'" : "'contains \"\(command.name)\" (__lectern_command)'"
        let start = "complete -c lectern -n \(condition)"
        let flags = command.flags.map { flag in
            "\(start) -l \(flag.name)\(flag.isSwitch ? "" : fishValue(FlagValueKind(flag.value)))"
                + " -d \(fishQuoted(flag.about))"
        }
        let operands =
            switch FlagValueKind(command.operands) {
            case .file: ["\(start) -F"]
            case .directory, .text: [String]()
            case .choices(let words): ["\(start) -a '\(words.joined(separator: " "))'"]
            case .manual: ["\(start) -a '\(helpWords.joined(separator: " "))'"]
            }
        return flags + operands
    }

    private static func fishValue(_ form: FlagValueKind) -> String {
        switch form {
        case .file: " -r -F"
        case .directory: " -x -a '(__fish_complete_directories)'"
        case .choices(let words): " -x -a '\(words.joined(separator: " "))'"
        case .manual, .text: " -x"
        }
    }

    private static func fishQuoted(_ text: String) -> String {
        "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
    }
}
