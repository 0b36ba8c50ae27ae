import Outbound

/// `lectern health`: prints whether a server on this data directory is alive. A supervisor of a container or host
/// should restart the server only if it is not. `/readyz` tells whether it can write and has disk space.
func health(_ arguments: CommandLineArguments) throws {
    let path = arguments.socketPath
    let response: HTTPClientResponse?
    do { response = try ServiceClient.health(at: path, secondsMax: 4) } catch {
        throw CommandError.failed("The server at \(path) does not respond: \(error).")
    }
    guard let response else { throw CommandError.failed("No server responds at \(path).") }
    guard response.status == 200 else {
        throw CommandError.failed("The server returned the status \(response.status).")
    }
    print("alive")
}
