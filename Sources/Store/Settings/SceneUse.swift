import Model

/// The proposal that stores the day of a scene's use. It is not logged as a change.
struct SceneUse: Proposal {
    let scene: ResourceID

    func apply(to application: inout Application, _ moment: Moment) throws(SQLiteError) -> Outcome? {
        if try SceneTable.touch(scene, day: application.today, in: application.connection) {
            application.noteSilentWrite()
        }
        return nil
    }
}
