import Foundation

/// What openapi.yaml says of each operation, as far as the routes say it too.
struct Contract {
    struct Operation {
        let path: String
        let method: String
        var name = ""
        /// The operation's line, when it is not the contract's usual one.
        var security: String?
        /// Names of the components that it refers to.
        var parameters: [String] = []
        var answers: Set<String> = []
        /// What its 200 can be.
        var types: Set<String> = []
    }

    let operations: [Operation]
    /// Names of query parameters, by component.
    let query: [String: String]

    init(_ text: String) throws {
        let parts = text.components(separatedBy: "\ncomponents:\n")
        let (paths, components) = (parts[0].components(separatedBy: "\npaths:\n")[1], parts[1])
        var operations: [Operation] = []
        var (path, section, answer) = ("", "", "")
        for line in paths.split(separator: "\n").map(String.init) {
            if let found = try /^  (\/.*):$/.wholeMatch(in: line) {
                path = String(found.1)
            } else if let found = try /^    (get|put|post|patch|delete):$/.wholeMatch(in: line) {
                operations.append(Operation(path: path, method: found.1.uppercased()))
            } else if let found = try /^      (\w+):(?: (.*))?$/.wholeMatch(in: line), !operations.isEmpty {
                section = String(found.1)
                let value = found.2.map(String.init) ?? ""
                if section == "operationId" { operations[operations.count - 1].name = value }
                if section == "security" { operations[operations.count - 1].security = value }
            } else if section == "parameters", let found = try /^        - .*\/parameters\/(\w+)'$/.wholeMatch(in: line)
            {
                operations[operations.count - 1].parameters.append(String(found.1))
            } else if section == "parameters", let found = try /^        - name: (\w+)$/.wholeMatch(in: line) {
                operations[operations.count - 1].parameters.append(String(found.1))
            } else if section == "responses", let found = try /^        '(\d+)':.*$/.wholeMatch(in: line) {
                answer = String(found.1)
                operations[operations.count - 1].answers.insert(answer)
            } else if section == "responses", answer == "200",
                let found = try /^            ([a-z]+\/[a-z.+-]+):$/.wholeMatch(in: line)
            {
                operations[operations.count - 1].types.insert(String(found.1))
            }
        }
        var query = ["ban": "ban"]
        for found in components.matches(of: #/\n    (\w+):\n      name: (\w+)\n      in: query\n/#) {
            query[String(found.1)] = String(found.2)
        }
        (self.operations, self.query) = (operations, query)
    }
}
