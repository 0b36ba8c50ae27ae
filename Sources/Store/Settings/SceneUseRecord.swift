import Model

/// The proposal that stores the day of a scene's use. It is not logged as a change.
struct SceneUseRecord: CommandChange {
    let scene: ResourceID

    func apply(to transaction: inout WriteTransaction, _ moment: ChangeMoment) throws(SQLiteError) -> CommandOutcome? {
        try ClientSceneTable.touch(scene, day: transaction.today, in: transaction.connection)
        return nil
    }
}
