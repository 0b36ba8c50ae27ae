import HTTPServer
import Model

extension Request {
    /// Throws unless the request came over the Unix socket, from the user who runs the server. `command` is the command
    /// to run there.
    func demandLocal(_ command: String) throws(RequestError) {
        if let refusal = refusalUnlessLocal(command) { throw refusal }
    }

    /// Returns the error that `demandLocal(_:)` throws, or `nil` over the Unix socket.
    func refusalUnlessLocal(_ command: String) -> RequestError? {
        if case .unix = transport { return nil }
        return .refused(
            .localOnly,
            "Only the user who runs the server may do this, over the Unix socket in its data directory: run `\(command)` on its machine."
        )
    }
}
