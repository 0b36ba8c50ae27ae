import Bytes

/// Suggestions for wrong words of a command line.
enum SpellingHint {
    /// Returns "Did you mean …?" with the known words that resemble a word or begin with it, or `nil` if there are
    /// none.
    static func nearest(_ word: String, among known: [String], form: (String) -> String) -> String? {
        let longer = word.count < 3 ? [] : known.filter { $0.hasPrefix(word) && $0 != word }
        let best = (1...3).contains(longer.count) ? longer : SimilarNameSearch.nearest(word, among: known).map { [$0] }
        return best.map { "Did you mean \(Self.list($0.map(form)))?" }
    }

    /// Joins words to a list such as "a, b or c".
    static func list(_ words: [String]) -> String {
        guard let last = words.last, words.count > 1 else { return words.first ?? "" }
        return "\(words.dropLast().joined(separator: ", ")) or \(last)"
    }

    /// Returns the error text for words that begin with no command.
    static func unknownCommand(_ words: [String], _ commands: [Subcommand]) -> String {
        let unknown = words.prefix(2).prefix { !$0.hasPrefix("-") }.joined(separator: " ")
        func hint(_ word: String, _ known: [String]) -> String? {
            nearest(word, among: known) { "`lectern \($0)`" }
        }
        let names = commands.map(\.name)
        // The first word may be misspelt, or its second one be missing or wrong.
        let found = hint(unknown, names) ?? hint(words.first ?? "", names + commands.map { $0.words[0] })
        return "There is no command \"\(unknown)\". \(found ?? "See `lectern help`.")"
    }

    /// Returns the error text for a flag that a command does not have.
    static func unknownFlag(_ name: String, of command: Subcommand, _ commands: [Subcommand]) -> String {
        let start = "`lectern \(command.name)` has no flag \(name)."
        let word = String(name.drop { $0 == "-" })
        if let hint = nearest(word, among: command.flags.map(\.name), form: { "--\($0)" }) { return "\(start) \(hint)" }
        let others = commands.filter { $0.flags.contains { $0.name == word } }.map { "`lectern \($0.name)`" }
        if !others.isEmpty, others.count < 4 { return "\(start) It belongs to \(list(others))." }
        return "\(start) See `lectern \(command.name) --help`."
    }
}
