package import Model

/// Rows of settings, one a reader, under the reader's key.
enum SettingsTable: Table {
    static let rows = Rows<Settings>("settings", key: .own)

    /// What is as it was from the start another house has, too, whatever it was in between.
    static let isAsMade: String = {
        let usual = Settings(Identity(id: .zero))
        let said = Settings.fields.columns.filter { rows.ownColumns.contains($0.name) }.compactMap { column in
            switch column.cell(usual) {
            case .integer(let number): "settings.\(column.name) = \(number)"
            case .text(let text): "settings.\(column.name) = '\(text)'"
            default: nil
            }
        }
        return "(\(said.joined(separator: " AND ")))"
    }()

    static func scope(of row: Settings) -> Scope { .reader(key: row.key) }
}

extension ReadConnection {
    /// The settings of a reader.
    package func settings(of reader: Int64) throws(LecternError) -> Settings? {
        try query { db throws(SQLiteError) in try SettingsTable.find(key: reader, in: db) }
    }
}
