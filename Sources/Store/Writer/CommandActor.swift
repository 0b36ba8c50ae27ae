package import Model

/// The viewer, time, new ids and precondition of a command. They stay the same when the command is decided again.
package struct CommandActor: Sendable {
    package private(set) var viewer: Viewer
    let now: Instant
    /// The id of the resource that the command creates, if any.
    private(set) var newID: ResourceID
    /// The id of a second resource that the command creates.
    private(set) var otherID: ResourceID
    let precondition: Precondition

    package init(
        _ viewer: Viewer, at now: Instant = .now, newID: ResourceID? = nil, precondition: Precondition = Precondition()
    ) {
        let id = newID ?? ResourceID(madeAt: now)
        (self.viewer, self.now, self.precondition) = (viewer, now, precondition)
        (self.newID, otherID) = (id, ResourceID(high: id.high, low: id.low ^ 1))
    }

    /// Returns a copy that creates its resource under the client's id. The second resource keeps an id of the server,
    /// because clients may not choose ids for others.
    func making(_ id: ResourceID) -> CommandActor {
        var other = self
        (other.newID, other.otherID) = (id, newID)
        return other
    }

    /// Returns a copy with the rights of another viewer.
    func seeing(as viewer: Viewer) -> CommandActor {
        var other = self
        other.viewer = viewer
        return other
    }

    /// Returns an actor for the server's own commands.
    package static func server(at now: Instant) -> CommandActor { CommandActor(.nobody, at: now) }

    var reader: RowReference { (viewer.reader, viewer.readerKey) }
}
