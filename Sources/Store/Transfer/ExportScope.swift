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

/// The lines of an export, which wait in the writer's buffer to be sent.
extension JSONWriter {
    /// Begins a record, in place of one that was not ended.
    mutating func beginRecord(_ kind: String) {
        while let last = bytes.last, last != UInt8(ascii: "\n") { bytes.removeLast() }
        beginObject()
        member("kind", kind)
    }

    /// Ends a record, and sends the waiting ones when there are enough, or after the last one.
    mutating func endRecord(isLast: Bool = false, to sink: ExportSink) throws(RequestError) {
        endObject()
        bytes.append(UInt8(ascii: "\n"))
        guard isLast || bytes.count >= 64 << 10 else { return }
        try sink(bytes)
        bytes.removeAll(keepingCapacity: true)
    }
}
