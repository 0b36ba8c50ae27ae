import JSON
package import Model

/// The extent of an export.
package enum ExportScope: Sendable {
    case everything
    /// The account of a reader, whose row has that key.
    case account(ResourceID, key: Int64)
    /// The account of a reader without its private records, for the reader's guardian.
    case managed(ResourceID, key: Int64)

    var readerKey: Int64? {
        switch self {
        case .everything: nil
        case .account(_, let key), .managed(_, let key): key
        }
    }
}

/// A function that receives the bytes of an export, in pieces. An interrupted export has no last line.
package typealias ExportSink = ([UInt8]) throws(RequestError) -> Void

/// The lines of an export that wait to be sent.
struct ExportWriter {
    /// The number of bytes that are sent together.
    private static let bytesMax = 64 << 10

    /// The line that is being written.
    var json = JSONWriter(capacity: 4096)
    private var waiting: [UInt8] = []
    private var count: Int64 = 0

    /// Writes the first line, which contains the format and the scope.
    mutating func begin(_ scope: ExportScope) {
        beginLine("export")
        json.member("format", 2)
        json.name("of")
        switch scope {
        case .everything: json.string("everything")
        case .account(let reader, _), .managed(let reader, _):
            json.string("account")
            json.member("reader", reader)
        }
        json.endObject()
        waiting += json.bytes + [0x0A]
    }

    mutating func beginLine(_ kind: String) { json.beginRecord(kind) }

    /// Ends a line.
    mutating func endLine() {
        json.endObject()
        waiting += json.bytes
        waiting.append(0x0A)
        count += 1
    }

    /// Writes the last line, without which the export is incomplete.
    mutating func end(_ sink: ExportSink) throws(RequestError) {
        beginLine("end")
        json.member("lines", count)
        json.endObject()
        try sink(waiting + json.bytes + [0x0A])
    }

    /// Sends the waiting lines when there are enough.
    mutating func send(to sink: ExportSink) throws(RequestError) {
        guard waiting.count >= Self.bytesMax else { return }
        try sink(waiting)
        waiting.removeAll(keepingCapacity: true)
    }
}

extension JSONWriter {
    /// Begins a record of an export, in place of what was written before.
    mutating func beginRecord(_ kind: String) {
        bytes.removeAll(keepingCapacity: true)
        beginObject()
        member("kind", kind)
    }
}
