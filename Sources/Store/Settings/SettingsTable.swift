package import Model

/// Rows of settings, one a reader, under the reader's key.
enum SettingsTable: Table {
    static let rows = Rows<Settings>("settings", key: .own)

    static func scope(of row: Settings) -> Scope { .reader(key: row.key) }
}

extension ReadConnection {
    /// The settings of a reader.
    package func settings(of reader: Int64) throws(LecternError) -> Settings? {
        try query { db throws(SQLiteError) in try SettingsTable.find(key: reader, in: db) }
    }
}
