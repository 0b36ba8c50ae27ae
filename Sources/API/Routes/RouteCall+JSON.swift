import HTTPServer
import JSON
import Model

extension RouteCall {
    /// Returns the JSON document in the body. Throws `unsupportedMediaType` if the type is not JSON or
    /// the body has a content coding, and `malformedJSON` with the byte offset if the text is not.
    func json(mergePatch: Bool = false, limits: JSONLimits = JSONLimits()) throws(RequestError) -> JSONValue {
        guard request.body.byteCount > 0 else {
            throw .refused(.bodyMissing, "The request needs a body: a JSON object.")
        }
        guard let type = request.field("content-type") else { throw Self.unsupported(mergePatch) }
        try request.demandOnce("content-type")
        let isJSON = MediaType.matches(type, "application/json")
        guard isJSON || mergePatch && MediaType.matches(type, "application/merge-patch+json") else {
            throw Self.unsupported(mergePatch)
        }
        guard request.field("content-encoding") == nil else {
            throw .refused(.unsupportedMediaType, "The body must not be compressed: send it without Content-Encoding.")
        }
        do {
            return try JSONDocument(bytes(of: request.body), limits: limits).root
        } catch {
            throw .refused(.malformedJSON, "The body is not JSON: byte \(error.offset): \(error.reason).")
        }
    }

    private static func unsupported(_ mergePatch: Bool) -> RequestError {
        let accepted = mergePatch ? "application/merge-patch+json, application/json" : "application/json"
        return .unsupportedMediaType(
            accepted: accepted, "The body must be \(accepted), and Content-Type must name that type.")
    }
}
