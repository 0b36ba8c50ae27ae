public import JSON
public import Model
import Outbound

/// An answer that grants what was asked for.
public struct Answer: Sendable {
    public let status: Int
    public let body: [UInt8]
    /// The name of the state that it tells of, as `If-Match` takes it.
    public let etag: String?
    let retryAfterSeconds: Int?

    /// What is believed of a server: a page may be long.
    static let limits = JSONLimits(bytesMax: 64 << 20, valuesMax: 10_000_000)

    init(_ response: HTTPClientResponse) {
        let fields = response.fields
        status = response.status
        body = response.body
        etag = fields["etag"]
        retryAfterSeconds = fields["retry-after"].flatMap { Int($0) }
    }

    /// The body as JSON.
    public func json() throws(LecternClientError) -> JSONValue { try Self.json(body) }

    /// The resource that the body is.
    public func value<Value: Resource>(as _: Value.Type = Value.self) throws(LecternClientError) -> Value {
        guard let representation = Representation(try json()), let value = Value(representation) else {
            throw .misunderstood("the answer is no \(Value.kind.name)")
        }
        return value
    }

    static func json(_ bytes: [UInt8]) throws(LecternClientError) -> JSONValue {
        do throws(JSONError) { return try JSONDocument(bytes, limits: limits).root } catch {
            throw .misunderstood("the server sends no JSON: \(error)")
        }
    }
}
