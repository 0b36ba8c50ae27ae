import Foundation

/// The part of openapi.yaml's operations that the routes state, too.
struct Contract {
    struct Operation {
        let path: String
        let method: String
        var name = ""
        /// The operation's own security line, or `nil` for the contract's default.
        var security: String?
        /// The names of the components that the operation refers to.
        var parameters: [String] = []
        var answers: Set<String> = []
        /// A Boolean value indicating whether a response has the location of the created resource.
        var hasLocation = false
        /// The media types of its 200.
        var types: Set<String> = []
    }

    let operations: [Operation]
    /// The names of query parameters, by component.
    let query: [String: String]

    init(_ text: String) {
        let parts = text.components(separatedBy: "\ncomponents:\n")
        var operations: [Operation] = []
        var (path, section, answer) = ("", "", "")
        for line in parts[0].components(separatedBy: "\npaths:\n")[1].split(separator: "\n") {
            let text = line.drop { $0 == " " }
            let depth = line.utf8.count - text.utf8.count
            if depth == 2, text.hasPrefix("/") { path = String(text.dropLast()) }
            if depth == 4, Self.methods.contains(text) {
                operations.append(Operation(path: path, method: text.dropLast().uppercased()))
            }
            guard let last = operations.indices.last else { continue }
            switch (depth, section) {
            case (6, _):
                guard let (name, value) = Self.member(text) else { continue }
                section = name
                if section == "operationId" { operations[last].name = value }
                if section == "security" { operations[last].security = value }
            case (8, "parameters"):
                if let name = Self.parameter(text) { operations[last].parameters.append(name) }
            case (8, "responses"):
                answer = text.prefix { $0 != ":" }.filter { $0 != "'" }
                operations[last].answers.insert(answer)
            case (12, "responses"):
                if text.hasPrefix("Location: ") { operations[last].hasLocation = true }
                let type = text.prefix { $0 != ":" }
                guard answer == "200", type.contains("/"), !type.contains(" ") else { continue }
                operations[last].types.insert(String(type))
            default: break
            }
        }
        (self.operations, query) = (operations, Self.query(parts[1]))
    }

    private static let methods: Set<Substring> = ["get:", "put:", "post:", "patch:", "delete:"]

    /// Returns a name and the rest of its line.
    private static func member(_ text: Substring) -> (name: String, value: String)? {
        let name = text.prefix { $0 == "_" || $0.isLetter || $0.isNumber }
        let rest = text.dropFirst(name.count)
        guard !name.isEmpty, rest == ":" || rest.hasPrefix(": ") else { return nil }
        return (String(name), String(rest.dropFirst(2)))
    }

    /// Returns the component that an operation's parameter refers to, or the parameter's own name.
    private static func parameter(_ text: Substring) -> String? {
        if text.hasPrefix("- name: ") { return String(text.dropFirst(8)) }
        guard text.hasPrefix("- "), text.hasSuffix("'"), let start = text.firstRange(of: "/parameters/")?.upperBound
        else {
            return nil
        }
        return String(text[start...].dropLast())
    }

    private static func query(_ components: String) -> [String: String] {
        var query = ["ban": "ban"]
        let lines = components.split(separator: "\n")
        for (index, line) in lines.enumerated().dropFirst(2) where line == "      in: query" {
            let (component, name) = (lines[index - 2], lines[index - 1])
            guard component.hasPrefix("    "), component.hasSuffix(":"), name.hasPrefix("      name: ") else {
                continue
            }
            query[String(component.dropFirst(4).dropLast())] = String(name.dropFirst(12))
        }
        return query
    }
}
