extension CompletionScript {
    static var bashScript: String {
        """
        _lectern() {
            local current=$2 words='' flags='' kind=''
            COMPREPLY=()
            case $3 in
        \(bashValues.joined(separator: "\n"))
            esac
            case "$kind" in
                words) mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current"); return ;;
                file) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- "$current"); return ;;
                directory) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -d -- "$current"); return ;;
                text) return ;;
            esac
            case "$COMP_CWORD ${COMP_WORDS[1]-} ${COMP_WORDS[2]-}" in
                '1 '*) words='\(firstWords.joined(separator: " "))'; flags='\(bashFlags(of: "serve")) --version' ;;
        \(bashCommands.joined(separator: "\n"))
                *' -'*) flags='\(bashFlags(of: "serve"))' ;;
            esac
            if [[ $current == -* ]]; then words=$flags; fi
            mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
            if [[ $kind == operand && $current != -* ]]; then
                compopt -o filenames 2>/dev/null
                mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$current")
            fi
        }
        complete -F _lectern lectern

        """
    }

    /// The cases for the values of flags.
    private static var bashValues: [String] {
        CommandLineFlag.all.filter { !$0.isSwitch }.map { flag in
            let action =
                switch FlagValueKind(flag.value) {
                case .choices(let words): "kind=words words='\(words.joined(separator: " "))'"
                case .file: "kind=file"
                case .directory: "kind=directory"
                case .manual, .text: "kind=text"
                }
            return "        --\(flag.name)) \(action) ;;"
        }
    }

    /// The cases for the commands. The second word of a command is completed while the cursor is on it.
    private static var bashCommands: [String] {
        let seconds = secondWords.map { first, seconds in
            let ownFiles = Subcommand.all.contains { $0.words == [first] && FlagValueKind($0.operands) == .file }
            let own = Subcommand.all.contains { $0.words == [first] } ? " flags='\(bashFlags(of: first))'" : ""
            return "        '2 \(first) '*) words='\(seconds.joined(separator: " "))'\(own)"
                + (ownFiles ? " kind=operand ;;" : " ;;")
        }
        let commands = commands.map { command in
            let form = FlagValueKind(command.operands)
            let words = words(form)
            let pattern = command.words.count == 1 ? "*' \(command.name) '*" : "*' \(command.name)'"
            return "        \(pattern))"
                + (words.isEmpty ? "" : " words='\(words.joined(separator: " "))'")
                + " flags='\(bashFlags(of: command.name))'" + (form == .file ? " kind=operand ;;" : " ;;")
        }
        return seconds + commands
    }

    private static func bashFlags(of name: String) -> String {
        let flags = Subcommand.all.first { $0.name == name }?.flags ?? []
        return (flags.map { "--\($0.name)" } + ["--help"]).joined(separator: " ")
    }
}
