public import JSON

/// Any JSON value, stored and sent as received: with its numbers' digits and its members' order.
public struct RawJSONValue: StorableValue, Hashable {
    /// The JSON text, on one line.
    public let bytes: [UInt8]

    /// The value `null`.
    public static let null = RawJSONValue(bytes: Array("null".utf8))

    /// Creates a value from JSON text.
    public init(bytes: [UInt8]) { self.bytes = bytes }

    public init?(json: JSONValue) {
        var writer = JSONWriter(capacity: 256)
        writer.value(json)
        bytes = writer.bytes
    }

    public init?(cell: DatabaseValue) {
        guard case .text(let text) = cell else { return nil }
        bytes = Array(text.utf8)
    }

    public var cell: DatabaseValue { .text(String(decoding: bytes, as: UTF8.self)) }

    public func write(to json: inout JSONWriter) { json.raw(bytes) }
}
