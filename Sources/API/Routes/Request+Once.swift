import HTTPServer
import Model

extension Request {
    /// Throws when a field of which only one can be meant is there more than once: whoever reads the first one and whoever
    /// reads the last one would take the request for two different ones.
    borrowing func demandOnce(_ name: StaticString) throws(LecternError) {
        guard field(name, occurrence: 1) == nil else {
            throw .refused(.repeatedField, "The header field \(name) is given more than once.")
        }
    }
}
