import Model

extension WriteState {
    /// Returns the first changes to a reader's notes when the reader leaves a club.
    func leaving(
        _ noteDisposition: NotesOnLeaving, in club: Int64, by reader: Int64
    ) throws(RequestError) -> BulkChangeSlice {
        switch noteDisposition {
        case .keep: BulkChangeSlice()
        case .nameless: try changingNotes(by: BulkChange(kind: .nameless, subject: reader, club: club))
        case .delete: try changingNotes(by: BulkChange(kind: .delete, subject: reader, club: club))
        }
    }

    /// Returns a club that the actor has left or was removed from, or `nil`.
    func left(_ id: ResourceID, _ actor: CommandActor) throws(RequestError) -> Club? {
        let reader = actor.reader.key
        guard let club = try query(ClubTable.find(id, in: db)),
            try query(MemberTable.find(reader: reader, club: club.key, in: db)) == nil,
            try query(MemberTable.name(of: reader, inClub: club.key, in: db)) != nil
        else { return nil }
        return club
    }

    /// Returns the changes to a reader's memberships, and to their notes in clubs, when the reader's name changes.
    func renaming(_ members: [Member], as name: String) throws(RequestError) -> [any CommandChange] {
        let writes: [any CommandChange] = members.map { MemberTable.update(of: $0) { $0.name = name } }
        guard let member = members.first(where: { !$0.name.utf8.elementsEqual(name.utf8) }) else { return writes }
        let names = Dictionary(members.map { ($0.clubKey, name) }) { first, _ in first }
        return try writes + copying(name, of: .name, member.readerKey)
            + naming(notesOf: member.readerKey, in: nil, as: names)
    }

    /// Returns the changes that give a reader's notes, in one club or all, the author's name there. `names` contains
    /// the names that the members' rows do not have yet, by the clubs' keys.
    func naming(
        notesOf reader: Int64, in club: Int64?, as names: [Int64: String]
    ) throws(RequestError) -> [any CommandChange] {
        try changingNotes(by: BulkChange(kind: .noteName, subject: reader, club: club), names: names).beginning
    }

    /// The maximum number of notes that one command visits, whether or not it changes them.
    private static var visitedMax: Int { 1000 }

    /// Returns the writes to the reader's next notes in clubs, and to those they replied to.
    func changingNotes(
        by change: BulkChange, names known: [Int64: String] = [:]
    ) throws(RequestError) -> BulkChangeSlice {
        let notes = try query(
            NoteTable.matching(
                "notes.author = ?1 AND notes.key > ?2 AND notes.key < ?3 ORDER BY notes.key LIMIT ?4", in: db
            ).bind(change.subject, change.place, change.end, Self.visitedMax).all(NoteTable.row))
        var names = known
        var slice = BulkChangeSlice()
        var deleted: [(before: Note?, after: Note?)] = []
        var (place, count) = (change.place, 0)
        for note in notes {
            guard count < BulkChange.countMax else { break }
            place = note.key
            guard let club = note.clubKey, note.text != nil, change.club ?? club == club else { continue }
            guard change.kind != .delete else {
                count += 1
                slice.own.append(RowWrite<NoteTable>(before: note, after: nil))
                slice.own += try query(StoredTable.changes(atEndOf: .note, note.key, in: db))
                deleted.append((note, nil))
                continue
            }
            var new = note
            if change.kind == .nameless {
                new.forgetAuthor()
            } else if !note.isNameless {
                if names[club] == nil {
                    names[club] = try query(MemberTable.name(of: change.subject, inClub: club, in: db))
                }
                new.authorName = names[club] ?? note.authorName
            }
            guard new.isNameless != note.isNameless || !isSame(new.authorName, note.authorName) else { continue }
            // The note keeps its times of creation and change.
            count += 1
            slice.own.append(RowWrite<NoteTable>(before: note, after: new, keepsTimes: true))
        }
        slice.others = try counting(deleted)
        if notes.count == Self.visitedMax || place != notes.last?.key ?? place {
            slice.rest = change
            slice.rest?.place = place
        }
        return slice
    }

    private func isSame(_ left: String?, _ right: String?) -> Bool {
        left.map { Array($0.utf8) } == right.map { Array($0.utf8) }
    }
}
