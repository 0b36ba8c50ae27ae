import HTTPServer
import Model
import Store

extension APIHandler {
    /// One snapshot of the database for all that `body` reads.
    func read<Result>(_ body: () throws(LecternError) -> Result) throws(LecternError) -> Result {
        try reads.read(body)
    }

    /// Whether the client asks for a stream rather than for JSON.
    func watches(_ request: borrowing Request) -> Bool {
        MediaType.isNamed("text/event-stream", request)
    }

    /// Refuses a client that accepts no JSON.
    func requireJSON(_ request: borrowing Request) throws(LecternError) { try desk.requireJSON(request) }
}
