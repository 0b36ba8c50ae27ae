import Model

/// What a change does to the rows that a window shows.
struct WindowEvent {
    enum Name: Equatable {
        case enter
        case updated
        case leave(EventFrame.Reason)
    }

    let name: Name
    let id: ResourceID
    /// What it stands before from now on; nil where it is the last, and where it is gone.
    var before: ResourceID?
    /// Of a row that the change is not of: what is to be shown of it.
    var row: WindowRow?
    /// Of an update: whether it stands elsewhere than before.
    var isMoved = false
}
