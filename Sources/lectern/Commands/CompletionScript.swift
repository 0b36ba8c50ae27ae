/// `lectern completion SHELL`: prints a script by which a shell completes commands, flags, values and help topics.
func completion(_ arguments: CommandLineArguments) throws {
    let shells = SpellingHint.list(CompletionScript.allCases.map(\.rawValue))
    let shell = arguments.operands[0]
    guard let completion = CompletionScript(rawValue: shell) else {
        throw CommandLineArguments.Misuse(message: "The shell must be \(shells), not \"\(shell)\".")
    }
    print(completion.text, terminator: "")
}

/// A shell for which there is a completion script. All scripts run `lectern complete`, which prints `Completions`.
enum CompletionScript: String, CaseIterable {
    case bash
    case zsh
    case fish

    var text: String {
        (self == .zsh ? "#compdef lectern\n" : "") + "# \(rawValue) completion for lectern. \(advice)\n\(script)"
    }

    /// The way to load the script.
    private var advice: String {
        switch self {
        case .bash: "Load it with: source <(lectern completion bash)"
        case .zsh: "Save it as _lectern in a folder of $fpath."
        case .fish: "Save it as ~/.config/fish/completions/lectern.fish."
        }
    }

    private var script: String {
        switch self {
        case .bash:
            #"""
            _lectern() {
                local word about files='' words=()
                COMPREPLY=()
                while IFS=$'\t' read -r word about; do
                    case $word in
                        :file) files=-f ;;
                        :directory) files=-d ;;
                        *) words+=("$word") ;;
                    esac
                done < <("$1" complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
                mapfile -t COMPREPLY < <(compgen -W "${words[*]}" -- "$2")
                if [[ $files ]]; then
                    compopt -o filenames 2>/dev/null
                    mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen "$files" -- "$2")
                fi
            }
            complete -F _lectern lectern

            """#
        case .zsh:
            #"""
            _lectern() {
                local line
                local -a found
                for line in "${(@f)$("$words[1]" complete "${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
                    case $line in
                        :file) _files ;;
                        :directory) _files -/ ;;
                        ?*) found+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}") ;;
                    esac
                done
                (( $#found )) && _describe lectern found
            }
            if [[ $funcstack[1] == _lectern ]]; then _lectern "$@"; else compdef _lectern lectern; fi

            """#
        case .fish:
            #"""
            function __lectern_complete
                set -l words (commandline -opc)
                $words[1] complete $words[2..-1] (commandline -ct) 2>/dev/null
            end
            complete -c lectern -f -a '(__lectern_complete | string match -v ":*")'
            complete -c lectern -n '__lectern_complete | string match -q :file' -F
            complete -c lectern -n '__lectern_complete | string match -q :directory' -a '(__fish_complete_directories)'

            """#
        }
    }
}
