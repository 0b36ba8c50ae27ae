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
        Export(
            bareType: "text/csv", type: "text/csv; charset=utf-8; header=present", name: "lectern-readings.csv",
            writing: readings(of: reader, as: ReadingsTable.init))
    }

    /// A reader's readings and notes as a text.
    static func text(of reader: Int64) -> Export {
        Export(
            bareType: "text/markdown", type: "text/markdown; charset=utf-8", name: "lectern-readings.md",
            writing: readings(of: reader, as: ReadingsText.init))
    }

    private static func readings<Form: ReadingsForm>(
        of reader: Int64, as form: @escaping @Sendable () -> Form
    ) -> Exports.Writing {
        { reads, sink throws(LecternError) in
            var form = form()
            try reads.readings(of: reader) { row throws(LecternError) in
                form.append(row)
                guard form.bytes.count >= 64 << 10 else { return }
                try sink(form.bytes)
                form.bytes.removeAll(keepingCapacity: true)
            }
            try sink(form.bytes)
        }
    }
}

/// A form in which people read what they have read and written.
protocol ReadingsForm {
    /// The bytes that wait to be sent.
    var bytes: [UInt8] { get set }
    /// Adds a row to the bytes.
    mutating func append(_ row: ReadingsRow)
}
