import JSON
import Model

// The import of readers and of their own resources.

extension ReaderTable {
    /// Returns `true`: readers are visible to others, so importing an account keeps the name that its reader has here.
    static func isSeenByOthers(_ row: Reader) -> Bool { true }

    static func complete(
        _ row: inout Reader, over old: Reader?, _ line: ImportLine, _ state: borrowing WriteState,
        _ others: inout ImportedChanges
    ) throws(RequestError) {
        guard let old else {
            guard try !state.read(ShelfTable.rows.has(row.id, in: state.db)) else { throw .idTaken }
            if row.role == .administrator, row.suspension == nil { try state.handOver(to: row, line, &others) }
            return
        }
        let members = try state.read(MemberTable.all(of: "reader", row.key, in: state.db))
        others.after = try state.renaming(members, as: row.name)
        if old.suspension == nil, row.suspension != nil { others.after += try state.suspending(old) }
    }
}

extension NoteTable {
    /// The JSON members of a note that depend on its club. An account contains its notes as private ones, without these
    /// members.
    static let membersInClubs =
        [
            "club", "thread", "run", "about", "audience", "authorName", "share", "opensAt", "answers", "writtenBy",
        ]
        + ExportColumn.threshold.map { "\($0.member)" }

    /// The notes that an account contains.
    static let accountRows = ExportedRows.AccountRows.own("notes.author = ?1 AND notes.is_nameless = 0")

    /// The condition for notes that a guardian does not receive.
    static let isPrivate = "notes.club IS NULL OR notes.audience IS NOT NULL"

    static func isSeenByOthers(_ row: Note) -> Bool { row.club != nil }

    /// Completes an imported note. Notes without a club become private.
    static func complete(
        _ row: inout Note, over old: Note?, _ line: ImportLine, _ state: borrowing WriteState,
        _ others: inout ImportedChanges
    ) throws(RequestError) {
        let isThere = try state.read(ReaderTable.find(key: row.authorKey, in: state.db)) != nil
        guard isThere || row.authorName == nil else {
            throw .violation("/authorName", "must be absent for a reader who has left")
        }
        guard row.hasValidStoredAudience else {
            throw .violation("/audience", "must be moderators for a note with a club, or absent")
        }
        try state.demandRun(row.run, of: row.clubKey, on: row.book)
        // An account contains no threshold. The threshold is the note's share of the book, in no scale.
        if old == nil, line.context.isOfAccount { row.settle(SpoilerThreshold(at: nil, share: row.progress ?? .whole)) }
        if row.club == nil { row.becomePrivate() }
        if let old, old.club != row.club || old.audience != row.audience {
            throw .refused(.importDiffers, "A note with this id exists and has another audience. Change it with PATCH.")
        }
        others.after =
            try entry(showing: row, over: old, state) + state.counting([(old, row)], keepsTimes: true)
    }

    /// Returns the write to the entry that refers to a note. The entry's line comes first.
    private static func entry(
        showing note: Note, over old: Note?, _ state: borrowing WriteState
    ) throws(RequestError) -> [any CommandChange] {
        guard old == nil, let id = note.entry else { return try state.entryShowing(note, as: note) }
        guard let entry = try state.read(EntryTable.find(id, in: state.db)), entry.readerKey == note.authorKey else {
            throw .unknown("entry")
        }
        return entry.note == nil && entry.noteID == nil ? [state.write(entry, showing: note)] : []
    }
}

extension ShelfTable {
    static func isSeenByOthers(_ row: Shelf) -> Bool { row.club != nil }

    static func complete(
        _ row: inout Shelf, over old: Shelf?, _ line: ImportLine, _ state: borrowing WriteState,
        _ others: inout ImportedChanges
    ) throws(RequestError) {
        if old == nil, line.context.isOfAccount {
            try Command.shelvesMax.demandRoom(
                beside: state.read(rows.count(of: "reader", row.readerKey, in: state.db)))
        }
    }
}

extension ShelfBookTable {
    static func complete(
        _ row: inout ShelfBook, over old: ShelfBook?, _ line: ImportLine, _ state: borrowing WriteState,
        _ others: inout ImportedChanges
    ) throws(RequestError) {
        if line.context.isOfAccount, try state.found(ShelfTable.find(key: row.shelfKey, in: state.db)).club != nil {
            throw .refused(
                .importDiffers, "The shelf is shared with a club here, which would see the book. Add the book yourself."
            )
        }
        if old == nil, line.context.isOfAccount {
            try Command.shelfBooksMax.demandRoom(beside: state.read(extent(of: row.shelfKey, in: state.db).count))
        }
    }
}

extension ClientSceneTable {
    static func derivedID(of row: ClientScene, _ line: ImportLine) throws(RequestError) -> ResourceID? {
        guard let place = ClientSceneKey(device: row.device, name: row.name), let reader = line.id("reader") else {
            throw .violation("/device", "or /name is not a valid name of a scene")
        }
        return place.id(of: line.context.here(reader))
    }

    /// Completes an imported scene, which counts as used today.
    static func complete(
        _ row: inout ClientScene, over old: ClientScene?, _ line: ImportLine, _ state: borrowing WriteState,
        _ others: inout ImportedChanges
    ) throws(RequestError) {
        guard row.value.bytes.count <= ClientScene.bytesMax else {
            throw .tooLarge(limit: "sceneBytesMax", max: ClientScene.bytesMax)
        }
        if old == nil, line.context.isOfAccount {
            try Command.scenesPerReaderMax.demandRoom(
                beside: state.read(rows.count(of: "reader", row.readerKey, in: state.db)))
        }
        others.after = [ClientSceneTable.use(of: row.id, on: state.today)]
    }
}

extension SettingsTable {
    static func complete(
        _ row: inout Settings, over old: Settings?, _ line: ImportLine, _ state: borrowing WriteState,
        _ others: inout ImportedChanges
    ) throws(RequestError) {
        guard old != nil else { throw .unknown("id") }
    }
}
