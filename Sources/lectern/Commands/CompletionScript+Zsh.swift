extension CompletionScript {
    static var zshScript: String {
        """
        _lectern() {
            local -a found
            if (( CURRENT == 2 )); then
                if [[ $PREFIX == -* ]]; then
                    _arguments -S \(zshSpecifications(of: "serve")) '(-v --version)'{-v,--version}'[\(versionAbout)]'
                else
                    found=(\(zshFirstWords))
                    _describe command found
                fi
                return
            fi
            if (( CURRENT == 3 )) && [[ $PREFIX != -* ]]; then
                case $words[2] in
        \(zshSecondWords.joined(separator: "\n"))
                esac
            fi
            case "$words[2] $words[3]" in
        \(zshCommands.joined(separator: "\n"))
                -*) _arguments -S \(zshSpecifications(of: "serve")) ;;
            esac
        }
        if [[ $funcstack[1] == _lectern ]]; then _lectern "$@"; else compdef _lectern lectern; fi

        """
    }

    /// The first words of commands, with descriptions for those that are commands.
    private static var zshFirstWords: String {
        firstWords.map { word in
            let about = Subcommand.all.first { $0.words == [word] }?.about
            let seconds = secondWords.first { $0.first == word }?.seconds ?? []
            return quoted("\(word):\(about ?? SpellingHint.list(seconds))")
        }.joined(separator: " ")
    }

    /// The cases for the first words that a second word may follow.
    private static var zshSecondWords: [String] {
        secondWords.map { first, seconds in
            let words = seconds.map { second in
                let about = Subcommand.all.first { $0.words == [first, second] }?.about ?? ""
                return quoted("\(second):\(about)")
            }
            let isCommand = Subcommand.all.contains { $0.words == [first] }
            return "            \(first)) found=(\(words.joined(separator: " "))); _describe command found"
                + (isCommand ? " ;;" : "; return ;;")
        }
    }

    /// The cases for the commands: their words are removed, and `_arguments` completes the rest.
    private static var zshCommands: [String] {
        commands.map { command in
            let count = command.words.count
            let pattern = count == 1 ? "'\(command.name) '*" : "'\(command.name)'"
            return "        \(pattern)) shift \(count) words; (( CURRENT -= \(count) )); "
                + "_arguments -S \(zshSpecifications(of: command.name)) ;;"
        }
    }

    /// The arguments of `_arguments` for a command.
    private static func zshSpecifications(of name: String) -> String {
        guard let command = Subcommand.all.first(where: { $0.name == name }) else { return "" }
        let flags = command.flags.map { flag in
            let about = "[\(flag.about.replacing("[", with: "\\[").replacing("]", with: "\\]"))]"
            if flag.isSwitch { return quoted("--\(flag.name)\(about)") }
            let value = ":\(zshPlain(flag.value)):\(zshAction(FlagValueKind(flag.value)))"
            return quoted("\(flag.isRepeated ? "*" : "")--\(flag.name)=\(about)\(value)")
        }
        let help = "'(-h --help)'{-h,--help}'[\(helpAbout)]'"
        let form = command.operands.isEmpty ? nil : FlagValueKind(command.operands)
        let operands = form.map { [quoted("*:\(zshPlain(command.operands)):\(zshAction($0))")] } ?? []
        return (flags + [help] + operands).joined(separator: " ")
    }

    private static func zshAction(_ form: FlagValueKind) -> String {
        switch form {
        case .file: "_files"
        case .directory: "_files -/"
        case .choices, .manual: "(\(words(form).joined(separator: " ")))"
        case .text: " "
        }
    }

    /// Returns a message without colons, which would end it.
    private static func zshPlain(_ text: String) -> String { text.replacing(":", with: "\\:") }
}
