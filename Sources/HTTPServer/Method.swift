/// A request method. Anything that is a token but none of these is `other`; `Request.methodText` has its bytes.
package enum Method: UInt8, Sendable, CaseIterable {
    case get, head, post, put, patch, delete, options, other

    /// The name as it is sent; empty for `other`.
    package var text: StaticString {
        switch self {
        case .get: "GET"
        case .head: "HEAD"
        case .post: "POST"
        case .put: "PUT"
        case .patch: "PATCH"
        case .delete: "DELETE"
        case .options: "OPTIONS"
        case .other: ""
        }
    }

    /// Methods are case-sensitive (RFC 9110, 9.1).
    init(_ bytes: Span<UInt8>) {
        switch bytes.count {
        case 3: self = bytes.equals("GET") ? .get : bytes.equals("PUT") ? .put : .other
        case 4: self = bytes.equals("POST") ? .post : bytes.equals("HEAD") ? .head : .other
        case 5: self = bytes.equals("PATCH") ? .patch : .other
        case 6: self = bytes.equals("DELETE") ? .delete : .other
        case 7: self = bytes.equals("OPTIONS") ? .options : .other
        default: self = .other
        }
    }
}
