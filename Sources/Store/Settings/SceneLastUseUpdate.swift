import Model

/// The update of the day on which a client last used a scene. It is not logged as a change.
struct SceneLastUseUpdate: CommandChange {
    let scene: ResourceID

    func apply(to transaction: inout WriteTransaction, _ moment: ChangeMoment) throws(SQLiteError) -> CommandOutcome? {
        try ClientSceneTable.touch(scene, day: transaction.today, in: transaction.connection)
        return nil
    }
}
