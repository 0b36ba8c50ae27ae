import Model

/// The update of the day on which a client last used a scene. It is not logged as a change.
struct SceneLastUseUpdate: CommandChange {
    let scene: ResourceID

    func apply(to transaction: inout WriteTransaction) throws(SQLiteError) -> CommandOutcome? {
        try transaction.connection.statement("UPDATE scenes SET used_day = ?2 WHERE id = ?1 AND used_day < ?2")
            .bind(scene, transaction.today).run()
        return nil
    }
}
