import Model
import Store

/// An export for a client: its media type, file name and content.
struct ExportDocument: Sendable {
    /// The media type without parameters, to compare with `Accept`. `type` is the value of `Content-Type`.
    let bareType: StaticString
    let type: StaticString
    /// The file name for browsers.
    let name: String
    let writing: ExportsInProgress.Writing

    /// Returns the export of everything, or of one reader's account, as lines for an import.
    static func lines(_ scope: ExportScope) -> ExportDocument {
        let name: String =
            switch scope {
            case .everything: "lectern.jsonl"
            case .account(let reader, _), .managed(let reader, _): "lectern-\(reader).jsonl"
            }
        return ExportDocument(bareType: "application/jsonl", type: "application/jsonl", name: name) {
            reads, sink throws(RequestError) in
            try reads.export(scope, to: sink)
        }
    }

    /// Returns a reader's readings and notes as a table.
    static func table(of reader: Int64) -> ExportDocument {
        ExportDocument(
            bareType: "text/csv", type: "text/csv; charset=utf-8; header=present", name: "lectern-readings.csv"
        ) {
            reads, sink throws(RequestError) in
            var text = ReadingsCSV()
            try reads.readings(of: reader) { row throws(RequestError) in
                text.append(row)
                try text.send(to: sink)
            }
            try sink(text.bytes)
        }
    }

    /// Returns a reader's readings and notes as Markdown.
    static func text(of reader: Int64) -> ExportDocument {
        ExportDocument(bareType: "text/markdown", type: "text/markdown; charset=utf-8", name: "lectern-readings.md") {
            reads, sink throws(RequestError) in
            var text = ReadingsMarkdown()
            try reads.readings(of: reader) { row throws(RequestError) in
                text.append(row)
                try text.send(to: sink)
            }
            try sink(text.bytes)
        }
    }
}
