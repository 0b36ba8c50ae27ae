import Bytes
import JSON
import Model

/// `lectern invite`: prints a link by which a person becomes a reader, or with `--reader`, a link by which a reader
/// chooses a password.
func invite(_ arguments: CommandLineArguments) throws -> Int32 {
    let client = try ServiceClient(arguments)
    guard client.hasServer else {
        throw CommandFailure(
            description: "No server runs on this data directory, so a link cannot be opened. Start the server first.")
    }
    var json = JSONWriter()
    json.beginObject()
    if let reader = arguments[.passwordReader] {
        guard arguments[.club] == nil, arguments[.newName] == nil else {
            throw CommandLineArguments.Misuse(
                message: "--reader cannot be used with --club or --name: that reader exists already.")
        }
        json.member("kind", "reset")
        json.member("reader", try id(ofReader: reader, client))
    }
    if let club = arguments[.club] {
        json.member("club", try id(ofClub: club, client))
    }
    json.endObject()
    let link = try client.send("POST", "/v1/links", body: json.bytes)?["url"]?.string ?? ""
    // The page suggests the name; the server does not know it.
    print(link + (arguments[.newName].map { "&name=" + PercentEncoding.text(of: $0) } ?? ""))
    return 0
}
