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
