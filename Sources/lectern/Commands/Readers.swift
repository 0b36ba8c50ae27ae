import Bytes
import Glibc
import JSON

/// `lectern reader delete READER --yes`: deletes a reader, and returns when nothing is left of what they wrote.
func deleteReader(_ arguments: CommandLineArguments) throws {
    let client = try ServiceClient(arguments)
    let id = try id(ofReader: arguments.operands[0], client)
    let reader = try client.send("GET", "/v1/readers/\(id)")
    let name = escapedForTerminal(reader?["name"]?.string ?? "")
    guard try arguments.isOn(.yes) else {
        throw CommandError.failed(
            "This would delete \(name) (\(id)) and their data. It cannot be undone. Add --yes to confirm.")
    }
    // Administrators who delete themselves must confirm it, too. The name may have any characters.
    let confirmation = PercentEncoding.text(of: reader?["name"]?.string ?? "")
    _ = try client.send("DELETE", "/v1/readers/\(id)?confirm=\(confirmation)")
    while try client.text("/metrics").contains("\nlectern_erasing 1\n") { usleep(50_000) }
    print("\(name) was deleted.")
}
