import Model
import Store

/// Reads on behalf of a viewer. Resources that the viewer may not see are not found.
extension ReadConnection {
    /// Returns a club of the viewer. Throws unless the viewer's role allows an action.
    func club(_ id: ResourceID, for viewer: Viewer, to action: ClubAction) throws(RequestError) -> Club {
        guard let (club, member) = try club(id, of: viewer.readerKey) else { throw .notFound }
        try ClubRights.demand(action, of: member.role)
        return club
    }

    /// Throws if the viewer has become an administrator, or is no longer one, since the request began. A different role
    /// sees different rows.
    func demandRole(of viewer: Viewer) throws(RequestError) {
        let role = try reader(viewer.reader)?.role
        guard (role == .administrator) == (viewer.role == .administrator) else {
            throw .refused(.administratorsOnly, "Your role changed during this request. Send the request again.")
        }
    }

    /// Returns a reading of the viewer, or `nil` if it is another reader's.
    func reading(_ id: ResourceID, of viewer: Viewer) throws(RequestError) -> Reading? {
        guard let reading = try reading(id), reading.readerKey == viewer.readerKey else { return nil }
        return reading
    }

    /// Returns a note that the viewer sees.
    func note(_ id: ResourceID, for viewer: Viewer) throws(RequestError) -> Note {
        guard let note = try note(id, seenBy: viewer.readerKey) else { throw .notFound }
        return note
    }

    /// Throws if the viewer has left the club of their note. The club decides what happens to the note.
    func demandMembership(for note: Note, _ viewer: Viewer) throws(RequestError) {
        guard let club = note.club else { return }
        guard try self.club(club, of: viewer.readerKey) != nil else { throw .formerMember }
    }

    /// Returns the key of the club of a note that the viewer watches, or watched until it was deleted; `nil` for a
    /// private note.
    func clubOfNote(_ id: ResourceID, watchedBy viewer: Viewer) throws(RequestError) -> Int64? {
        guard let note = try note(id, seenBy: viewer.readerKey) else {
            return try clubOfDeletedNote(id, seenBy: viewer.readerKey)
        }
        try demandMembership(for: note, viewer)
        return note.clubKey
    }

    /// Returns a meeting of a club. Without an id, returns the club's next meeting.
    func meeting(_ id: ResourceID?, of club: Club) throws(RequestError) -> Meeting {
        guard let meeting = try meeting(id, ofClub: club.key) else { throw .notFound }
        return meeting
    }

    /// Returns the last change of a scope that the viewer received and that is still in the log, or the log's floor.
    func lastSeq(of scope: ChangeScope, seenBy viewer: Viewer) throws(RequestError) -> Int64 {
        guard let club = scope.club else { return try lastSeq(of: scope) }
        return try lastSeq(ofClub: club, seenBy: viewer.readerKey)
    }
}

extension Viewer {
    /// Throws if the viewer's token may only read.
    func demandWriting() throws(RequestError) {
        guard access == .write else {
            throw .refused(
                .readOnlyToken, "The token's scope is read, but this request needs the scope write. Use another token.")
        }
    }
}
