import Outbound
import Store

/// `lectern check`: prints whether the database is sound, or its findings. If a server has the database open, nothing
/// is checked. The command then prints the server's health and fails.
func check(_ arguments: CommandLineArguments) throws {
    let directory = arguments.directory
    do {
        let findings = try Store.check(directory: directory) { print($0) }
        guard findings.isEmpty else {
            for finding in findings { print(escapedForTerminal(finding)) }
            throw CommandError.failed(
                "\(findings.count) findings in \(directory). Keep the files and restore a backup.")
        }
        print("\(directory) is sound.")
        return
    } catch StoreError.inUse(_, let pid) {
        let path = arguments.socketPath
        guard let response = try ServiceClient.health(at: path, secondsMax: 30) else {
            throw ServiceClient.notListening(pid, path)
        }
        print("A server runs on \(directory). Its health: \(String(decoding: response.body, as: UTF8.self))")
        throw CommandError.failed("Nothing was checked. Stop the server first, or check a backup.")
    }
}
