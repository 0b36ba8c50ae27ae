import Model
import Store

/// What is written for a client to keep, and as what it is called.
struct Export: Sendable {
    /// As a client may ask for it, and as it is said to be.
    let bareType: StaticString
    let type: StaticString
    /// What a browser calls the file.
    let name: String
    let writing: Exports.Writing

    /// Everything, or one reader's account, as an import takes it in.
    static func lines(_ scope: ExportScope) -> Export {
        let name: String =
            switch scope {
            case .everything: "lectern.jsonl"
            case .account(let reader, _), .ward(let reader, _): "lectern-\(reader).jsonl"
            }
        return Export(bareType: "application/jsonl", type: "application/jsonl", name: name) {
            reads, sink throws(LecternError) in
            try reads.export(scope, to: sink)
        }
    }

    /// A reader's readings and notes as a table.
    static func table(of reader: Int64) -> Export {
        Export(bareType: "text/csv", type: "text/csv; charset=utf-8; header=present", name: "lectern-readings.csv") {
            reads, sink throws(LecternError) in
            var text = ReadingsTable()
            try reads.readings(of: reader) { row throws(LecternError) in
                text.append(row)
                try text.send(to: sink)
            }
            try sink(text.bytes)
        }
    }

    /// The same to read.
    static func text(of reader: Int64) -> Export {
        Export(bareType: "text/markdown", type: "text/markdown; charset=utf-8", name: "lectern-readings.md") {
            reads, sink throws(LecternError) in
            var text = ReadingsText()
            try reads.readings(of: reader) { row throws(LecternError) in
                text.append(row)
                try text.send(to: sink)
            }
            try sink(text.bytes)
        }
    }
}
