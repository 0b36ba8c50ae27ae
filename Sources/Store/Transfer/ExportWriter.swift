import JSON
package import Model

/// The extent of an export.
package enum ExportScope: Sendable {
    case everything
    /// The account of a reader, whose row has that key; for the reader's guardian without its private records.
    case account(ResourceID, key: Int64, isManaged: Bool = false)

    var readerKey: Int64? { if case .account(_, let key, _) = self { key } else { nil } }
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

    /// Ends a line, and sends the waiting lines when there are enough, or after the last one.
    mutating func endLine(isLast: Bool = false, _ sink: ExportSink) throws(RequestError) {
        json.endObject()
        waiting += json.bytes
        waiting.append(0x0A)
        guard isLast || waiting.count >= Self.bytesMax else { return }
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
