import Foundation

/// A place in the contract where a client writes over a text of its own words: a member of the body of a `PATCH` or `PUT`.
struct WrittenText: Hashable {
    let method: String
    let path: String
    let member: String
    /// Whether it is a list of texts.
    let isList: Bool

    /// All there are, read from the contract's text, so that what is added to it is among them.
    static func all(of contract: String) -> Set<WrittenText> {
        let blocks = blocks(of: contract)
        var found: Set<WrittenText> = []
        var (path, method) = ("", "")
        // What only makes something writes over nothing.
        var onlyMakes = false
        for line in contract.prefix(upTo: contract.range(of: "\ncomponents:")?.lowerBound ?? contract.endIndex).split(
            separator: "\n")
        {
            if line.hasPrefix("  /") { path = String(line.dropFirst(2).dropLast()) }
            if line.hasPrefix("    "), !line.hasPrefix("     ") {
                (method, onlyMakes) = (line.dropFirst(4).dropLast().uppercased(), false)
            }
            if line.contains("see *Ids of your own*") { onlyMakes = true }
            guard ["PATCH", "PUT"].contains(method), !onlyMakes, let body = referred(line), isBody(body) else {
                continue
            }
            for line in blocks[body] ?? [] {
                guard let (member, schema) = property(line), let text = blocks[schema], isOwnWords(text) else {
                    continue
                }
                let isList = text.contains("      type: array")
                found.insert(WrittenText(method: method, path: path, member: member, isList: isList))
            }
        }
        return found
    }

    /// The lines of each schema.
    private static func blocks(of contract: String) -> [String: [Substring]] {
        var blocks: [String: [Substring]] = [:]
        var name = ""
        guard let start = contract.range(of: "\n  schemas:\n") else { return [:] }
        for line in contract[start.upperBound...].split(separator: "\n") {
            if line.hasPrefix("  "), !line.hasPrefix("   ") { break }
            if let match = line.wholeMatch(of: #/    ([A-Za-z]+):(.*)/#) {
                name = String(match.1)
                blocks[name] = ["      " + match.2]
            } else {
                blocks[name, default: []].append(line)
            }
        }
        return blocks
    }

    private static func isBody(_ schema: String) -> Bool { schema.hasSuffix("Patch") || schema.hasSuffix("Draft") }

    private static func referred(_ line: Substring) -> String? {
        line.firstMatch(of: #/#\/components\/schemas\/([A-Za-z]+)/#).map { String($0.1) }
    }

    private static func property(_ line: Substring) -> (member: String, schema: String)? {
        guard let match = line.firstMatch(of: #/^      +([A-Za-z]+): \{/#), let schema = referred(line) else {
            return nil
        }
        return (String(match.1), schema)
    }

    /// Whether a schema is of text in which any letter may be.
    private static func isOwnWords(_ schema: [Substring]) -> Bool {
        let text = schema.joined(separator: "\n")
        guard text.contains(#/type: (string|\[string, 'null'\])/#), !text.contains("properties:") else { return false }
        return !text.contains("format:") && !text.contains("enum:") && !text.contains("const:")
            && (!text.contains("pattern:") || text.contains("pattern: '^[^"))
    }
}
