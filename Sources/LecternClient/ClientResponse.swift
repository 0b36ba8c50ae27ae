public import JSON
public import Model
import Outbound

/// A successful response.
public struct ClientResponse: Sendable {
    public let status: Int
    public let body: [UInt8]
    /// The entity tag of the state in the response, for `If-Match`.
    public let etag: String?
    let retryAfterSeconds: Int?

    /// The limits of a response's JSON. They are high because a page may be long.
    static let limits = JSONLimits(bytesMax: 64 << 20, valuesMax: 10_000_000)

    init(_ response: HTTPClientResponse) {
        let fields = response.fields
        status = response.status
        body = response.body
        etag = fields["etag"]
        retryAfterSeconds = fields["retry-after"].flatMap { Int($0) }
    }

    /// Returns the body as JSON.
    public func json() throws(LecternClientError) -> JSONValue { try Self.json(body) }

    /// Returns the resource in the body.
    public func value<Value: Resource>(as _: Value.Type = Value.self) throws(LecternClientError) -> Value {
        guard let representation = ResourceRepresentation(try json()), let value = Value(representation) else {
            throw .misunderstood("the response is not a \(Value.kind.name)")
        }
        return value
    }

    static func json(_ bytes: [UInt8]) throws(LecternClientError) -> JSONValue {
        do throws(JSONError) { return try JSONDocument(bytes, limits: limits).root } catch {
            throw .misunderstood("the response is not JSON: \(error)")
        }
    }
}
