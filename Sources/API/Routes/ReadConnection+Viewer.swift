import Model
import Store

/// What is read on somebody's behalf: what they may not see is not there.
extension ReadConnection {
    /// A club that the viewer is in, when they may do that in it.
    func club(_ id: ResourceID, for viewer: Viewer, to action: ClubAction) throws(LecternError) -> Club {
        guard let (club, member) = try club(id, of: viewer.readerKey) else { throw .notFound }
        try Rights.demand(action, of: member.role)
        return club
    }

    /// Refuses who has become an administrator, or is none any more, since they came: what they see by it is another now.
    func demandRole(of viewer: Viewer) throws(LecternError) {
        let role = try reader(viewer.reader)?.role
        guard (role == .administrator) == (viewer.role == .administrator) else {
            throw .refused(.administratorsOnly, "Your role has changed.")
        }
    }

    /// A reading of the viewer's own; nil for everybody else's.
    func reading(_ id: ResourceID, of viewer: Viewer) throws(LecternError) -> Reading? {
        guard let reading = try reading(id), reading.readerKey == viewer.readerKey else { return nil }
        return reading
    }

    /// A note that the viewer sees.
    func note(_ id: ResourceID, for viewer: Viewer) throws(LecternError) -> Note {
        guard let note = try note(id, seenBy: viewer.readerKey) else { throw .notFound }
        return note
    }

    /// Refuses who has gone from the club of a note of theirs: what becomes of it is the club's.
    func demandMembership(for note: Note, _ viewer: Viewer) throws(LecternError) {
        guard let club = note.club else { return }
        guard try self.club(club, of: viewer.readerKey) != nil else { throw .formerMember }
    }

    /// Returns the key of the club of a note that the viewer watches, or watched until it was deleted; `nil` for a private note.
    func clubOfNote(_ id: ResourceID, watchedBy viewer: Viewer) throws(LecternError) -> Int64? {
        guard let note = try note(id, seenBy: viewer.readerKey) else {
            return try clubOfDeletedNote(id, seenBy: viewer.readerKey)
        }
        try demandMembership(for: note, viewer)
        return note.clubKey
    }

    /// A meeting of a club; without an id the next one.
    func meeting(_ id: ResourceID?, of club: Club) throws(LecternError) -> Meeting {
        guard let meeting = try meeting(id, ofClub: club.key) else { throw .notFound }
        return meeting
    }
}

extension Viewer {
    /// Throws unless the viewer is an administrator.
    func demandAdministrator() throws(LecternError) {
        guard role == .administrator else {
            throw .refused(.administratorsOnly, "Only an administrator may do this.")
        }
    }

    /// Throws if the viewer's token may only read.
    func demandWriting() throws(LecternError) {
        guard access == .write else {
            throw .refused(.readOnlyToken, "The token has the scope read. This needs the scope write.")
        }
    }
}
