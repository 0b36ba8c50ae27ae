import Foundation

/// The requests of a history, for the report of a finding.
struct OracleLog {
    struct Line {
        let step: Int
        let reader: Int
        let note: Int?
        let book: Int?
        let text: String

        /// A Boolean value indicating whether the line may change positions of all readers of the book.
        var isOfAll: Bool { ["/editions/", "/chapters "].contains { text.contains($0) } }
    }

    private static let linesMax = 4000
    private static let toldMax = 60
    private var lines: [Line] = []
    private var names: [(id: String, name: String)] = []

    /// Replaces an id by a name from now on.
    mutating func call(_ id: String, _ name: String) { names.append((id, name)) }

    mutating func note(_ line: Line) {
        if lines.count == Self.linesMax { lines.removeFirst(Self.linesMax / 4) }
        lines.append(line)
    }

    func named(_ text: String) -> String {
        names.reversed().reduce(text) { $1.id.isEmpty ? $0 : $0.replacingOccurrences(of: $1.id, with: $1.name) }
    }

    /// Returns the last lines that concern a reader and a note: changes of the note, actions of the reader and the
    /// author in that book, and changes of the book.
    func story(of reader: Int, _ number: Int?, in rules: OracleRules) -> [String] {
        let note = number.map { rules.notes[$0] }
        let thread = number.map { rules.thread(above: $0) } ?? []
        let found = lines.filter { line in
            if let own = line.note { return thread.contains(own) }
            let isTheirs = line.reader == reader || line.reader == note?.author
            guard let book = line.book else { return line.step > 0 && (isTheirs || line.text.contains("/members/")) }
            return book == note?.book && (isTheirs || line.isOfAll)
        }
        return found.suffix(Self.toldMax).map { "\($0.step): \(named($0.text))" }
    }
}
