import Model

/// The cover of a book that has no image: its title and author on a coloured background, as an SVG without script or
/// style.
enum TypographicCover {
    private static let lineLength = 15
    private static let linesMax = 6
    /// The background colours, dark enough for light letters (contrast at least 7:1).
    private static let grounds = [
        "#23395b", "#4a2c40", "#2f4a3a", "#5a2a27", "#3a3a52", "#40402a", "#1f4549", "#54381e",
    ]

    /// Returns the SVG of a book. The background follows from its id.
    static func svg(of book: Book) -> [UInt8] {
        let ground = grounds[Int(book.id.low % UInt64(grounds.count))]
        let title = lines(of: book.title)
        let size = title.count > 4 ? 26 : 31
        var svg = """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 450" font-family="Palatino, Georgia, serif" fill="#f6f1e7">\
            <rect width="300" height="450" fill="\(ground)"/>\
            <path d="M20 20h260v410H20z" fill="none" stroke="#f6f1e7" stroke-opacity=".35"/>
            """
        for (number, line) in title.enumerated() {
            svg += text(line, size: size, y: 95 + number * (size + 8))
        }
        for (number, author) in book.authors.prefix(2).enumerated() {
            svg += text(lines(of: author, length: 24, max: 1).first ?? "", size: 17, y: 385 + number * 24)
        }
        return Array((svg + "</svg>\n").utf8)
    }

    private static func text(_ line: String, size: Int, y: Int) -> String {
        #"<text x="150" y="\#(y)" font-size="\#(size)" text-anchor="middle">\#(EmbeddedPages.escaped(line))</text>"#
    }

    /// Breaks a text into lines. A text that is too long ends in an ellipsis.
    static func lines(of text: String, length: Int = lineLength, max: Int = linesMax) -> [String] {
        var lines: [String] = []
        for word in text.split(whereSeparator: \.isWhitespace) {
            let word = word.count > length ? String(word.prefix(length - 1)) + "…" : String(word)
            if let last = lines.last, last.count + 1 + word.count <= length {
                lines[lines.count - 1] += " " + word
            } else if lines.count < max {
                lines.append(word)
            } else {
                lines[max - 1] = lines[max - 1].prefix(length - 1) + "…"
                break
            }
        }
        return lines
    }
}
