package import Model

/// The table of settings, with one row per reader under the reader's key.
enum SettingsTable: ResourceTable {
    static let rows = TableMapping<Settings>("settings", key: .own)

    /// The condition that settings have their initial values, so an export can leave them out.
    static let isAsMade: String = {
        let usual = Settings(CommonResourceFields(id: .zero))
        let given = Settings.fields.columns.filter { rows.ownColumns.contains($0.name) }.compactMap { column in
            switch column.cell(usual) {
            case .integer(let number): "settings.\(column.name) = \(number)"
            case .text(let text): "settings.\(column.name) = '\(text)'"
            default: nil
            }
        }
        return "(\(given.joined(separator: " AND ")))"
    }()

    static func scope(of row: Settings) -> ChangeScope { .reader(key: row.key) }
}

extension ReadConnection {
    /// Returns the settings of a reader.
    package func settings(of reader: Int64) throws(LecternError) -> Settings? {
        try query { db throws(SQLiteError) in try SettingsTable.find(key: reader, in: db) }
    }
}
