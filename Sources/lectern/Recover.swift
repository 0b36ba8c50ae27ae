import API
import FoundationEssentials
import JSON

/// `lectern admin recover [READER]`: whoever may open the data directory comes in as an administrator again. The reader, or
/// else the first administrator, is one, is not suspended, and has a new token, which is printed.
func recover(_ arguments: Arguments) throws -> Int32 {
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
    return 0
}

/// The administrator's first token, as a file says it; nil where none is named.
func firstToken(_ arguments: Arguments) throws -> String? {
    guard let path = arguments[.adminTokenFile] else { return nil }
    guard let bytes = FileManager.default.contents(atPath: path) else {
        throw Failure(description: "\(path), which has the first token, cannot be read.")
    }
    let words = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace)
    let token = String(words.first ?? "")
    guard words.count == 1, Service.mayBeToken(token) else {
        throw Failure(description: "\(path) must have one token and nothing else; it must have \(Service.tokenRule).")
    }
    return token
}
