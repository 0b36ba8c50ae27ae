import Foundation

/// A member of the body of a `PATCH` or `PUT` in the contract that overwrites a client's free text.
struct WrittenText: Hashable {
    let method: String
    let path: String
    let member: String
    /// A Boolean value indicating whether the member is a list of texts.
    let isList: Bool

    /// Returns all such members in the contract's text, including future ones.
    static func all(of contract: String) -> Set<WrittenText> {
        let blocks = blocks(of: contract)
        var found: Set<WrittenText> = []
        var (path, method) = ("", "")
        // An operation that only creates overwrites nothing.
        var onlyMakes = false
        for line in contract.prefix(upTo: contract.range(of: "\ncomponents:")?.lowerBound ?? contract.endIndex).split(
            separator: "\n")
        {
            if line.hasPrefix("  /") { path = String(line.dropFirst(2).dropLast()) }
            if line.hasPrefix("    "), !line.hasPrefix("     ") {
                (method, onlyMakes) = (line.dropFirst(4).dropLast().uppercased(), false)
            }
            if line.contains("see *Client-chosen ids*") { onlyMakes = true }
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

    /// Returns the lines of each schema.
    private static func blocks(of contract: String) -> [String: [Substring]] {
        var blocks: [String: [Substring]] = [:]
        var name = ""
        guard let start = contract.range(of: "\n  schemas:\n") else { return [:] }
        for line in contract[start.upperBound...].split(separator: "\n") {
            if line.hasPrefix("  "), !line.hasPrefix("   ") { break }
            if line.hasPrefix("    "), !line.hasPrefix("     "), let end = line.firstIndex(of: ":") {
                name = String(line[..<end].dropFirst(4))
                blocks[name] = ["      " + line[end...].dropFirst()]
            } else {
                blocks[name, default: []].append(line)
            }
        }
        return blocks
    }

    private static func isBody(_ schema: String) -> Bool { schema.hasSuffix("Patch") || schema.hasSuffix("Draft") }

    private static func referred(_ line: Substring) -> String? {
        line.firstRange(of: "#/components/schemas/").map { String(line[$0.upperBound...].prefix { $0.isLetter }) }
    }

    private static func property(_ line: Substring) -> (member: String, schema: String)? {
        guard line.hasPrefix("      "), let schema = referred(line) else { return nil }
        let parts = line.drop { $0 == " " }.split(separator: ": {", maxSplits: 1)
        guard parts.count == 2, parts[0].allSatisfy(\.isLetter) else { return nil }
        return (String(parts[0]), schema)
    }

    /// Returns whether a schema is of free text, which may contain any letter.
    private static func isOwnWords(_ schema: [Substring]) -> Bool {
        let text = schema.joined(separator: "\n")
        guard text.contains(#/type: (string|\[string, 'null'\])/#), !text.contains("properties:") else { return false }
        return !text.contains("format:") && !text.contains("enum:") && !text.contains("const:")
            && (!text.contains("pattern:") || text.contains("pattern: '^[^"))
    }
}
