package import Model

/// The table of settings, with one row per reader under the reader's key.
enum SettingsTable: ExportedTable {
    static let rows = TableMapping<Settings>("settings", key: .own)

    /// Returns the condition that settings, except those of the given names, have their initial values, so an export can
    /// leave them out.
    static func isAsMade(except names: Set<String> = []) -> String {
        let usual = Settings(CommonResourceFields(id: .zero))
        let columns = Settings.fields.columns.filter { rows.ownColumns.contains($0.name) && !names.contains($0.name) }
        let given = columns.compactMap { column in
            switch column.cell(usual) {
            case .integer(let number): "settings.\(column.name) = \(number)"
            case .text(let text): "settings.\(column.name) = '\(text)'"
            default: nil
            }
        }
        return "(\(given.joined(separator: " AND ")))"
    }

    static func scope(of row: Settings) -> ChangeScope { .reader(key: row.key) }

    static let endings: [ResourceEnding] = []
}

extension ReadConnection {
    /// Returns the settings of a reader.
    package func settings(of reader: Int64) throws(RequestError) -> Settings? {
        try query(SettingsTable.find(key: reader, in: db))
    }
}
