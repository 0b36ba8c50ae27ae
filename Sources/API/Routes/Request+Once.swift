import HTTPServer
import Model

extension Request {
    /// Throws if a field that must be unique occurs more than once. A program that reads the first one and another that
    /// reads the last one would otherwise see different requests.
    borrowing func demandOnce(_ name: StaticString) throws(RequestError) {
        guard field(name, occurrence: 1) == nil else {
            throw .refused(.repeatedField, "The header field \(name) is given more than once.")
        }
    }
}
