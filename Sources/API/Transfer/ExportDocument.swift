import Model
import Store

/// An export for a client: its media type, file name and content.
struct ExportDocument: Sendable {
    let type: StaticString
    /// The file name for browsers.
    let name: String
    let writing: ExportsInProgress.Writing

    /// Returns the export of everything, or of one reader's account, as lines for an import.
    static func lines(_ scope: ExportScope) -> ExportDocument {
        let name = if case .account(let reader, _, _) = scope { "lectern-\(reader).jsonl" } else { "lectern.jsonl" }
        return ExportDocument(type: "application/jsonl", name: name) {
            reads, sink throws(RequestError) in
            try reads.export(scope, to: sink)
        }
    }

    /// Returns a reader's readings and notes as a table.
    static func table(of reader: Int64) -> ExportDocument {
        ExportDocument(
            type: "text/csv; charset=utf-8; header=present", name: "lectern-readings.csv",
            writing: writing(ReadingsCSV(), of: reader))
    }

    /// Returns a reader's readings and notes as Markdown.
    static func text(of reader: Int64) -> ExportDocument {
        ExportDocument(
            type: "text/markdown; charset=utf-8", name: "lectern-readings.md",
            writing: writing(ReadingsMarkdown(), of: reader))
    }

    private static func writing(_ empty: some ReadingsDocument, of reader: Int64) -> ExportsInProgress.Writing {
        { reads, sink throws(RequestError) in
            var document = empty
            try reads.readings(of: reader) { item throws(RequestError) in
                document.append(item)
                guard document.bytes.count >= 64 << 10 else { return }
                try sink(document.bytes)
                document.bytes.removeAll(keepingCapacity: true)
            }
            try sink(document.bytes)
        }
    }
}

/// A list of readings and notes that is meant for people.
protocol ReadingsDocument: Sendable {
    /// The bytes that are not yet sent.
    var bytes: [UInt8] { get set }
    mutating func append(_ item: ReadingsDocumentItem)
}
