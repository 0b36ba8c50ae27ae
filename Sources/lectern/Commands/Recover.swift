import API
import FoundationEssentials
import JSON

/// `lectern admin recover [READER]`: restores an administrator's access for a person who can open the data directory.
/// The reader becomes an administrator without a suspension, and gets a new token, which is printed. Without an operand
/// the first administrator gets the token.
func recover(_ arguments: CommandLineArguments) throws {
    let client = try ServiceClient(arguments)
    let id: String
    if let text = arguments.operands.first {
        id = try lectern.id(ofReader: text, client)
        let patch = Array(#"{"role":"administrator","suspension":null}"#.utf8)
        _ = try client.send("PATCH", "/v1/readers/\(id)", body: patch)
    } else {
        id = try client.send("GET", "/v1/me")?["id"]?.string ?? ""
    }
    let body = Array(#"{"name":"recovered","reader":"\#(id)"}"#.utf8)
    print(try client.send("POST", "/v1/tokens", body: body)?["token"]?.string ?? "")
}

/// Returns the administrator's first token from a file, or `nil` if no file is named.
func firstToken(_ arguments: CommandLineArguments) throws -> String? {
    guard let path = arguments[.adminTokenFile] else { return nil }
    guard let bytes = FileManager.default.contents(atPath: path) else {
        throw CommandError.failed("\(path), the file with the first token, cannot be read.")
    }
    let words = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace)
    let token = String(words.first ?? "")
    guard words.count == 1, Service.mayBeToken(token) else {
        throw CommandError.failed("\(path) must contain only one token, of \(Service.tokenRule).")
    }
    return token
}
