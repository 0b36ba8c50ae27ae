package import Model

/// The table of scenes.
enum ClientSceneTable: ExportedTable {
    static let rows = TableMapping<ClientScene>("scenes")

    static func scope(of row: ClientScene) -> ChangeScope { .reader(key: row.readerKey) }

    static let endings: [ResourceEnding] = []

    /// Returns scenes that were last used before a day.
    static func unused(since day: Int64, limit: Int, in connection: SQLiteConnection) throws(SQLiteError)
        -> [ClientScene]
    {
        try matching("scenes.used_day < ?1 ORDER BY scenes.used_day LIMIT ?2", in: connection).bind(day, Int64(limit))
            .all(row)
    }

    /// Records the day of a scene's last use, which is not logged as a change.
    static func use(of id: ResourceID, on day: Int64) -> UnloggedWrite {
        UnloggedWrite("UPDATE scenes SET used_day = ?2 WHERE id = ?1 AND used_day < ?2", id, day)
    }
}

extension ReadConnection {
    /// Returns the scene with an id.
    package func scene(_ id: ResourceID) throws(RequestError) -> ClientScene? {
        try query(ClientSceneTable.find(id, in: db))
    }

    /// The scenes of the reader `?1`, oldest first.
    package static let scenes = SortedTableList(ClientSceneTable.rows, where: "scenes.reader = ?1")
}
