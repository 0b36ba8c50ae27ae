import JSON
package import Model

extension ReadConnection {
    /// Writes all records in a scope as lines, from one snapshot. They are in the order of the tables and, within a
    /// table, in an order that an import preserves. Equal records are equal bytes on every server.
    package func export(_ scope: ExportScope, to sink: ExportSink) throws(RequestError) {
        try read { () throws(RequestError) in
            if case .everything = scope,
                try query({ db throws(SQLiteError) in try ReaderDeparture.isIncomplete(in: db) })
            {
                throw .unavailable(
                    .notReady, "A reader is being deleted, and some of their data remains. Try again in a moment.",
                    retryAfterSeconds: 2)
            }
            var pieces = ExportWriter()
            pieces.begin(scope)
            for codec in StoredTable.all.compactMap(\.codec) {
                guard let sql = codec.query(scope) else { continue }
                let rows = try query { db throws(SQLiteError) in
                    let statement = try db.statement(sql)
                    return scope.readerKey.map { statement.bind($0) } ?? statement
                }
                defer { rows.reset() }
                while try query({ _ throws(SQLiteError) in try rows.step() }) {
                    pieces.beginLine(codec.kind)
                    try query { _ throws(SQLiteError) in try codec.write(rows, scope, &pieces.json) }
                    pieces.endLine()
                    try pieces.send(to: sink)
                }
            }
            try pieces.end(sink)
        }
    }
}
