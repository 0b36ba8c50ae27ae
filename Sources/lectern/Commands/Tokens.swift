import FoundationEssentials
import Glibc
import JSON
import LecternClient
import Model

/// `lectern token create`: prints a new token.
func createToken(_ arguments: CommandLineArguments) throws {
    guard let name = arguments[.name] else {
        throw CommandError.misused("token create needs a --name.")
    }
    let expiry = try arguments[.expires].map { try moment(after: $0, now: Date()) }
    let client = try ServiceClient(arguments)
    let reader = try arguments[.tokenReader].map { try id(ofReader: $0, client) }
    let body = JSONWriter.object { json in
        json.member("name", name)
        json.member("scope", arguments[.scope] ?? "write")
        json.member("expiresAt", ifAny: expiry)
        json.member("reader", ifAny: reader)
    }
    print(try client.send("POST", "/v1/tokens", body: body)?["token"]?.string ?? "")
}

/// `lectern token list`: prints the tokens as a table.
func listTokens(_ arguments: CommandLineArguments) throws {
    let client = try ServiceClient(arguments)
    let names = try readerNames(client)
    print(
        padded("ID", 38) + padded("NAME", 20) + padded("READER", 20) + padded("SCOPE", 7) + padded("USED", 12)
            + "EXPIRES")
    for token in try all("/v1/tokens", client) {
        func text(_ name: String) -> String { escapedForTerminal(token[name]?.string ?? "-") }
        let reader = names[text("reader")].map(escapedForTerminal) ?? text("reader")
        print(
            padded(text("id"), 38) + padded(text("name"), 20) + padded(reader, 20) + padded(text("scope"), 7)
                + padded(text("lastUsedOn"), 12) + text("expiresAt"))
    }
}

/// `lectern token revoke ID`: deletes a token.
func deleteToken(_ arguments: CommandLineArguments) throws {
    _ = try ServiceClient(arguments).send("DELETE", "/v1/tokens/\(arguments.operands[0])")
}

/// Returns all items of a list, page by page.
private func all(_ path: String, _ client: ServiceClient) throws -> [JSONValue] {
    var items: [JSONValue] = []
    var cursor: String?
    repeat {
        let page = try client.send("GET", path + "?limit=100" + (cursor.map { "&cursor=\($0)" } ?? ""))
        items += page?["items"]?.elements ?? []
        cursor = page?["next"]?.string
    } while cursor != nil
    return items
}

/// Returns the readers' names by id, or none if the server refuses the list to the caller.
private func readerNames(_ client: ServiceClient) throws -> [String: String] {
    do {
        let readers = try all("/v1/readers", client).map { ($0["id"]?.string ?? "", $0["name"]?.string ?? "") }
        return Dictionary(readers, uniquingKeysWith: { $1 })
    } catch LecternClientError.refused(let problem) where problem.status == 403 { return [:] }
}

/// Returns the id of a reader given by id or by a unique name.
func id(ofReader text: String, _ client: ServiceClient) throws -> String {
    try id(of: text, in: "/v1/readers", client) { count in
        count == 0
            ? "There is no reader \"\(text)\". A reader with a guardian needs the id."
            : "\(count) readers are called \"\(text)\". Give the id."
    }
}

/// Returns the id of a club given by id or by a name that is unique among the caller's clubs.
func id(ofClub text: String, _ client: ServiceClient) throws -> String {
    try id(of: text, in: "/v1/clubs", client) { count in
        count == 0 ? "You are not in a club \"\(text)\"." : "\(count) clubs are called \"\(text)\". Give the id."
    }
}

private func id(
    of text: String, in list: String, _ client: ServiceClient, orSay reason: (Int) -> String
) throws -> String {
    if UUID(uuidString: text) != nil { return text }
    let found = try all(list, client).filter { $0["name"]?.string == text }
    guard found.count == 1, let id = found[0]["id"]?.string else {
        throw CommandError.failed(reason(found.count))
    }
    return id
}

/// Returns the time after a duration such as 30m, 12h, 90d or 2w, in the format of RFC 3339.
func moment(after duration: String, now: Date) throws(CommandError) -> String {
    let units: [Character: Double] = ["m": 60, "h": 3600, "d": 86_400, "w": 604_800]
    guard let unit = duration.last.flatMap({ units[$0] }), let count = Int(duration.dropLast()),
        (1...100_000).contains(count)
    else {
        throw CommandError.misused("--expires must be a number and m, h, d or w, such as 90d, not \"\(duration)\".")
    }
    return now.addingTimeInterval(Double(count) * unit).ISO8601Format()
}
