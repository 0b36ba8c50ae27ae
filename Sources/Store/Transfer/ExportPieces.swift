import JSON
package import Model

/// Whose things an export has.
package enum ExportScope: Sendable {
    case everything
    /// The account of a reader, whose row has that key.
    case account(ResourceID, key: Int64)
    /// The same as the reader's guardian gets it: without what is private to the reader.
    case ward(ResourceID, key: Int64)
}

/// What an export is given to, a piece at a time. One that breaks off has no last line.
package typealias ExportSink = ([UInt8]) throws(LecternError) -> Void

/// Lines that wait to be sent.
struct ExportPieces {
    /// Bytes that are sent together.
    private static let bytesMax = 64 << 10

    /// The line that is being written.
    var json = JSONWriter(capacity: 4096)
    private var waiting: [UInt8] = []
    private var count: Int64 = 0

    /// The first line: what follows.
    mutating func begin(_ scope: ExportScope) {
        beginLine("export")
        json.name("format")
        json.integer(1)
        json.name("of")
        switch scope {
        case .everything: json.string("everything")
        case .account(let reader, _), .ward(let reader, _):
            json.string("account")
            json.name("reader")
            json.id(reader)
        }
        json.endObject()
        waiting += json.bytes + [0x0A]
    }

    mutating func beginLine(_ kind: String) {
        json.bytes.removeAll(keepingCapacity: true)
        json.beginObject()
        json.name("kind")
        json.string(kind)
    }

    /// Ends a line, of which some members are another's word.
    mutating func endLine(laidOver before: [UInt8]? = nil, names: [StaticString] = []) {
        json.endObject()
        line(before.flatMap { Representation.overlay(value: json.bytes, before: $0, names: names) } ?? json.bytes)
    }

    /// A whole line.
    mutating func line(_ bytes: [UInt8]) {
        waiting += bytes
        waiting.append(0x0A)
        count += 1
    }

    /// The last line: without it something is missing.
    mutating func end(_ sink: ExportSink) throws(LecternError) {
        beginLine("end")
        json.name("lines")
        json.integer(count)
        json.endObject()
        try sink(waiting + json.bytes + [0x0A])
    }

    /// Sends what waits, once it is enough.
    mutating func send(to sink: ExportSink) throws(LecternError) {
        guard waiting.count >= Self.bytesMax else { return }
        try sink(waiting)
        waiting.removeAll(keepingCapacity: true)
    }
}
