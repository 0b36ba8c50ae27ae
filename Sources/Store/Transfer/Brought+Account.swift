import JSON
import Model

// The same of what is a reader's own.

extension NoteTable {
    /// What is a club's is changed by its rules only.
    static func isBrought(over old: Note, _ bringing: Bringing) -> Bool { !bringing.isOfAccount || old.club == nil }

    /// Only who has left has said nothing; and what they said before stays unsaid.
    static func brought(
        _ row: Note, over old: Note?, _ state: borrowing WriteState, _ asker: Asker, _ bringing: Bringing
    ) throws(LecternError) -> Brought {
        let isThere = try state.read(ReaderTable.find(key: row.authorKey, in: state.db)) != nil
        guard (row.text == nil) != isThere else {
            let detail = isThere ? "must be 1 to 10000 characters" : "is of a reader who has left"
            throw .invalid([Violation(pointer: "/body", detail: detail)])
        }
        guard row.isAudienceKept else {
            throw .invalid([
                Violation(pointer: "/audience", detail: "is moderators, of a note with a club, or left out")
            ])
        }
        guard row.opening.frame != nil || (row.opening.inFrame ?? 0) <= Progress.whole.millionths else {
            throw .invalid([Violation(pointer: "/depth", detail: "is of a note with a frame")])
        }
        var note = row
        if old == nil {
            note.opening = .brought(row)
            // So it is with replies of before it could be said, in every house.
            if note.answers == nil, row.opening.way == nil, let thread = row.thread {
                note.answers = try state.read(find(thread, in: state.db))?.key
            }
        }
        if note.club == nil { note.becomePrivate() }
        if let old, old.club != row.club || old.audience != row.audience {
            throw .refused(.importDiffers, "This is there already, and another in for whom it is: PATCH changes it.")
        }
        return Brought(
            proposals: [Write<NoteTable>(before: old, after: note, keepsTimes: true)]
                + (try entry(showing: note, over: old, state)))
    }

    /// The entry that shows it, which came before it.
    private static func entry(
        showing note: Note, over old: Note?, _ state: borrowing WriteState
    ) throws(LecternError) -> [any Proposal] {
        guard old == nil, let id = note.entry else { return try state.entryShowing(note, as: note) }
        guard let entry = try state.read(EntryTable.find(id, in: state.db)), entry.readerKey == note.authorKey else {
            throw .unknown("entry")
        }
        return entry.note == nil && entry.noteID == nil ? [state.write(entry, showing: note)] : []
    }

    /// A note for a club becomes a private one: the club is not here, or did not ask for it again.
    static func separate(
        _ row: inout Note, _ state: borrowing WriteState, _ bringing: Bringing
    ) throws(LecternError) -> [any Proposal] {
        guard let club = row.club else { return [] }
        if try state.read(find(row.id, in: state.db))?.club == club { return [] }
        var json = JSONWriter()
        json.beginObject()
        json.name("club")
        json.id(club)
        json.name("thread")
        json.value(row.thread)
        if row.audience == .moderators {
            json.name("audience")
            json.value(row.audience)
        }
        json.endObject()
        for column in Note.fields.columns where ["clubs.id", "club", "thread", "audience"].contains(column.name) {
            // All of them may be NULL.
            _ = column.put(&row, .null)
        }
        return try state.keeping(json.bytes, kind: Note.kind.name, Portable.Place(id: row.id), bringing)
    }
}

extension ShelfTable {
    static func separate(
        _ row: inout Shelf, _ state: borrowing WriteState, _ bringing: Bringing
    ) throws(LecternError) -> [any Proposal] {
        guard let club = row.club else { return [] }
        if try state.read(find(row.id, in: state.db))?.club == club { return [] }
        row.share(with: nil)
        var json = JSONWriter()
        json.beginObject()
        json.name("club")
        json.id(club)
        json.endObject()
        return try state.keeping(json.bytes, kind: Shelf.kind.name, Portable.Place(id: row.id), bringing)
    }

    static func brought(
        _ row: Shelf, over old: Shelf?, _ state: borrowing WriteState, _ asker: Asker, _ bringing: Bringing
    ) throws(LecternError) -> Brought {
        if old == nil {
            try state.demandRoom(
                for: "shelvesMax", Command.shelvesMax, bringing,
                has: { db throws(SQLiteError) in try count(ofReader: row.readerKey, in: db) })
        }
        return Brought(proposals: [Write<ShelfTable>(before: old, after: row, keepsTimes: true)])
    }
}

extension ShelfBookTable {
    static func brought(
        _ row: ShelfBook, over old: ShelfBook?, _ state: borrowing WriteState, _ asker: Asker, _ bringing: Bringing
    ) throws(LecternError) -> Brought {
        if old == nil {
            try state.demandRoom(
                for: "shelfBooksMax", Command.shelfBooksMax, bringing,
                has: { db throws(SQLiteError) in try extent(of: row.shelfKey, in: db).count })
        }
        return Brought(proposals: [Write<ShelfBookTable>(before: old, after: row, keepsTimes: true)])
    }
}

extension SceneTable {
    /// The id follows from the reader and the place. It is kept as if it had been used today.
    static func brought(
        _ row: Scene, over old: Scene?, _ state: borrowing WriteState, _ asker: Asker, _ bringing: Bringing
    ) throws(LecternError) -> Brought {
        guard let place = ScenePlace(device: row.device, name: row.name),
            let reader = try state.read(ReaderTable.find(key: row.readerKey, in: state.db))
        else { throw .invalid([Violation(pointer: "/device", detail: "or /name is no name that a scene can have")]) }
        guard row.value.bytes.count <= Scene.bytesMax else {
            throw .tooLarge(limit: "sceneBytesMax", max: Scene.bytesMax)
        }
        var scene = row
        let id = place.id(of: reader.id)
        var before = old
        if id != row.id {
            before = try state.read(find(id, in: state.db))
            scene = Scene(at: place, of: (reader.id, reader.key), createdAt: row.createdAt ?? asker.now)
            scene.value = row.value
            scene.updatedAt = row.updatedAt
        }
        if let before {
            scene.key = before.key
            guard before.value == scene.value || bringing.replaces else {
                throw .refused(.importDiffers, "This is there already, and another in: value. replace writes over it.")
            }
        } else {
            try state.demandRoom(
                for: "scenesPerReaderMax", Command.scenesPerReaderMax, bringing,
                has: { db throws(SQLiteError) in try count(ofReader: reader.key, in: db) })
        }
        return Brought(proposals: [
            Write<SceneTable>(before: before, after: scene, keepsTimes: true), SceneUse(scene: id),
        ])
    }
}

extension SuspensionTable {
    static func brought(
        _ row: Suspension, over old: Suspension?, _ state: borrowing WriteState, _ asker: Asker, _ bringing: Bringing
    ) throws(LecternError) -> Brought {
        guard let reader = try state.read(ReaderTable.find(row.id, in: state.db)) else { throw .unknown("id") }
        var suspension = row
        suspension.key = reader.key
        let ends = old == nil ? try state.shuttingOut(reader) : []
        return Brought(
            proposals: [Write<SuspensionTable>(before: old, after: suspension, keepsTimes: true)] + ends)
    }
}

extension SettingsTable {
    static func brought(
        _ row: Settings, over old: Settings?, _ state: borrowing WriteState, _ asker: Asker, _ bringing: Bringing
    ) throws(LecternError) -> Brought {
        guard let old else { throw .unknown("id") }
        return Brought(proposals: [Write<SettingsTable>(before: old, after: row, keepsTimes: true)])
    }
}

extension WriteState {
    /// An account that comes from elsewhere has no more room than one that grew here; a whole house is as it was.
    func demandRoom(
        for limit: String, _ max: Int, _ bringing: Bringing, has count: (Connection) throws(SQLiteError) -> Int64
    ) throws(LecternError) {
        guard bringing.isOfAccount, try query(count) >= Int64(max) else { return }
        throw .limitReached(limit: limit, max: max, "There are \(max) already, which is the most that there may be.")
    }
}
