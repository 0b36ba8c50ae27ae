import HTTPServer
import Model

extension Request {
    /// Throws unless the request came over the Unix socket, from the user who runs the server. `command` is the command
    /// to run there.
    func demandLocal(_ command: String) throws(RequestError) {
        if case .unix = transport { return }
        throw .refused(
            .localOnly,
            "Only the user who runs the server may do this, over the Unix socket in its data directory: run `\(command)` on its machine."
        )
    }
}
