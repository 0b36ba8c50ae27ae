/// The kind of a value, as its notation in usage texts says, such as `FILE` or `text|json`.
enum FlagValueKind: Equatable {
    case choices([String])
    case file
    case directory
    /// The name of a command or a help topic.
    case manual
    case text

    init(_ notation: String) {
        let name = notation.filter { !"[]…".contains($0) }
        if name == "COMMAND|TOPIC" {
            self = .manual
        } else if name.contains("|") {
            self = .choices(name.split(separator: "|").map(String.init))
        } else if name.hasPrefix("FILE") {
            self = .file
        } else {
            self = name == "DIR" ? .directory : .text
        }
    }
}
