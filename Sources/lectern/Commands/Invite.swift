import Bytes
import JSON
import Model

/// `lectern invite`: prints a link by which a person becomes a reader, or with `--reader`, a link by which a reader
/// chooses a password.
func invite(_ arguments: CommandLineArguments) throws {
    let client = try ServiceClient(arguments)
    guard client.hasServer else {
        throw CommandError.failed(
            "No server runs on this data directory, so a link cannot be opened. Start the server first.")
    }
    if arguments[.passwordReader] != nil, arguments[.club] != nil || arguments[.newName] != nil {
        throw CommandError.misused("--reader cannot be used with --club or --name: that reader exists already.")
    }
    let reader = try arguments[.passwordReader].map { try id(ofReader: $0, client) }
    let club = try arguments[.club].map { try id(ofClub: $0, client) }
    let body = JSONWriter.object { json in
        json.member("kind", ifAny: reader.map { _ in "reset" })
        json.member("reader", ifAny: reader)
        json.member("club", ifAny: club)
    }
    let link = try client.send("POST", "/v1/links", body: body)?["url"]?.string ?? ""
    // The page suggests the name; the server does not know it.
    print(link + (arguments[.newName].map { "&name=" + PercentEncoding.text(of: $0) } ?? ""))
}
