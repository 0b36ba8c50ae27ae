package import Model

/// Rows of suspensions, at most one a reader, under the reader's key.
enum SuspensionTable: Table {
    static let rows = Rows<Suspension>("suspensions", key: .own)

    static func scope(of row: Suspension) -> Scope { .reader(key: row.key) }

    fileprivate static let listed = TableList<SuspensionTable>(isDescending: true)
}

extension ReadConnection {
    /// The suspension of a reader; nil for who may come in.
    package func suspension(of reader: ResourceID) throws(LecternError) -> Suspension? {
        try query { db throws(SQLiteError) in try SuspensionTable.find(reader, in: db) }
    }

    /// All suspensions, the readers who were made last first.
    package func suspensions(after cursor: String?, limit: Int) throws(LecternError) -> Page<Suspension> {
        try page(SuspensionTable.listed, after: cursor, limit: limit)
    }
}
