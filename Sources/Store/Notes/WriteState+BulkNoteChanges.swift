import Model

extension Command {
    /// Writes the next slice of a change to many notes. The writer repeats it until there is none.
    static let continueBulkNoteChange = Command { state, _ throws(RequestError) in
        guard let bulkChange = try state.read(BulkNoteChange.first(in: state.db)) else { return CommandDecision([]) }
        let (own, others, rest) = try state.slice(of: bulkChange, names: [:])
        let done = own + others
        guard let rest else { return CommandDecision(done + [bulkChange.deletion]) }
        return CommandDecision(done + [BulkNoteChange.RemainingChange(bulkChange: rest)])
    }
}

extension WriteState {
    /// Returns the changes to a reader's notes when the reader leaves a club, and those to the notes they replied to.
    func leaving(
        _ noteDisposition: NotesOnLeaving, in club: Int64, by reader: Int64
    ) throws(RequestError) -> (own: [any CommandChange], others: [any CommandChange]) {
        switch noteDisposition {
        case .keep: ([], [])
        case .nameless: try firstChanges(BulkNoteChange(kind: .nameless, reader: reader, club: club), names: [:])
        case .delete: try firstChanges(BulkNoteChange(kind: .delete, reader: reader, club: club), names: [:])
        }
    }

    /// Returns a club that the actor has left or was removed from, or `nil`.
    func left(_ id: ResourceID, _ actor: CommandActor) throws(RequestError) -> Club? {
        let reader = actor.reader.key
        guard let club = try read(ClubTable.find(id, in: db)),
            try read(MemberTable.find(reader: reader, club: club.key, in: db)) == nil,
            try read(MemberTable.name(of: reader, inClub: club.key, in: db)) != nil
        else { return nil }
        return club
    }

    /// Returns the changes to a reader's memberships, and to their notes in clubs, when the reader's name changes.
    func renaming(_ members: [Member], as name: String) throws(RequestError) -> [any CommandChange] {
        let writes: [any CommandChange] = members.map { MemberTable.update(of: $0) { $0.name = name } }
        guard let member = members.first(where: { !$0.name.utf8.elementsEqual(name.utf8) }) else { return writes }
        let names = Dictionary(members.map { ($0.clubKey, name) }) { first, _ in first }
        return try writes + nameUpdate(.reader, member.readerKey, as: name)
            + naming(notesOf: member.readerKey, in: nil, as: names)
    }

    /// Returns the changes that give a reader's notes, in one club or all, the author's name there. `names` contains
    /// the names that the members' rows do not have yet, by the clubs' keys.
    func naming(
        notesOf reader: Int64, in club: Int64?, as names: [Int64: String]
    ) throws(RequestError) -> [any CommandChange] {
        try firstChanges(BulkNoteChange(kind: .name, reader: reader, club: club), names: names).own
    }

    /// Returns the changes to the first notes, with a proposal that stores the rest if more are left, and the changes
    /// to the notes they replied to.
    private func firstChanges(
        _ bulkChange: BulkNoteChange, names: [Int64: String]
    ) throws(RequestError) -> (own: [any CommandChange], others: [any CommandChange]) {
        let (own, others, rest) = try slice(of: bulkChange, names: names)
        return (own + (rest.map { [BulkNoteChange.RemainingChange(bulkChange: $0)] } ?? []), others)
    }

    /// Returns the next slice of a change to the reader's notes and to those they replied to, and the rest of the
    /// change or `nil`.
    fileprivate func slice(
        of bulkChange: BulkNoteChange, names known: [Int64: String]
    ) throws(RequestError) -> (own: [any CommandChange], others: [any CommandChange], rest: BulkNoteChange?) {
        let notes = try read(bulkChange.next(in: db))
        var names = known
        var done: [any CommandChange] = []
        var deleted: [(before: Note?, after: Note?)] = []
        var (place, count) = (bulkChange.place, 0)
        for note in notes {
            guard count < BulkNoteChange.countMax else { break }
            place = note.key
            guard bulkChange.applies(to: note) else { continue }
            guard bulkChange.kind != .delete else {
                count += 1
                done.append(RowWrite<NoteTable>(before: note, after: nil))
                done += try read(StoredTable.changes(atEndOf: .note, note.key, in: db))
                deleted.append((note, nil))
                continue
            }
            var new = note
            if bulkChange.kind == .nameless {
                new.forgetAuthor()
            } else if !note.isNameless, let club = note.clubKey {
                if names[club] == nil {
                    names[club] = try read(MemberTable.name(of: bulkChange.reader, inClub: club, in: db))
                }
                new.authorName = names[club] ?? note.authorName
            }
            guard new.isNameless != note.isNameless || !isSame(new.authorName, note.authorName) else { continue }
            // The note keeps its times of creation and change.
            count += 1
            done.append(RowWrite<NoteTable>(before: note, after: new, keepsTimes: true))
        }
        let others = try counting(deleted)
        if notes.count < BulkNoteChange.visitedMax, place == notes.last?.key ?? place { return (done, others, nil) }
        var rest = bulkChange
        rest.place = place
        return (done, others, rest)
    }

    private func isSame(_ left: String?, _ right: String?) -> Bool {
        left.map { Array($0.utf8) } == right.map { Array($0.utf8) }
    }
}
