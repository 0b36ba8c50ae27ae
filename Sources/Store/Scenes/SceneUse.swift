import Model

/// A scene is used: the day is kept, but it is no change that anybody watches.
struct SceneUse: Proposal {
    let scene: ResourceID

    func apply(to application: inout Application, _ moment: Moment) throws(SQLiteError) -> Outcome? {
        if try SceneTable.touch(scene, day: application.today, in: application.connection) {
            application.noteSilentWrite()
        }
        return nil
    }
}
