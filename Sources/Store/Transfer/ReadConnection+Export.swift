import JSON
package import Model

extension ReadConnection {
    /// Writes all records in a scope as lines, from one snapshot. They are in the order of the tables and, within a
    /// table, in an order that an import preserves. Equal records are equal bytes on every server.
    package func export(_ scope: ExportScope, to sink: ExportSink) throws(RequestError) {
        try read { () throws(RequestError) in
            if case .everything = scope,
                try query(ReaderDeparture.isIncomplete(in: db))
            {
                throw .unavailable(
                    .notReady, "A reader is being deleted, and some of their data remains. Try again in a moment.",
                    retryAfterSeconds: 2)
            }
            var json = JSONWriter(capacity: 4096)
            json.beginRecord("export")
            json.member("format", 2)
            if case .account(let reader, _, _) = scope {
                json.member("of", "account")
                json.member("reader", reader)
            } else {
                json.member("of", "everything")
            }
            try json.endRecord(to: sink)
            // The last line has the number of lines, so without it an export is incomplete.
            var count = 0
            for codec in StoredTable.exported {
                guard let sql = codec.query(scope) else { continue }
                let rows = try query { db throws(SQLiteError) in
                    let statement = try db.statement(sql)
                    return scope.readerKey.map { statement.bind($0) } ?? statement
                }
                defer { rows.reset() }
                while try query({ _ throws(SQLiteError) in try rows.step() }) {
                    json.beginRecord(codec.kind)
                    try query { _ throws(SQLiteError) in try codec.write(rows, scope, &json) }
                    try json.endRecord(to: sink)
                    count += 1
                }
            }
            json.beginRecord("end")
            json.member("lines", count)
            try json.endRecord(isLast: true, to: sink)
        }
    }
}
