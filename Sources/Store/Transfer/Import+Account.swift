import JSON
import Model

// The import of readers and of their own resources.

extension ReaderTable {
    /// Returns `true`: readers are visible to others, so importing an account keeps the name that its reader has here.
    static func isSeenByOthers(_ row: Reader) -> Bool { true }

    static func complete(_ imported: inout RowImport<Reader>, _ state: borrowing WriteState) throws(RequestError) {
        guard let old = imported.old else {
            guard try !state.query(ShelfTable.rows.has(imported.row.id, in: state.db)) else { throw .idTaken }
            if imported.row.role == .administrator, imported.row.suspension == nil { try state.handOver(to: &imported) }
            return
        }
        let members = try state.query(MemberTable.all(of: "reader", imported.row.key, in: state.db))
        imported.after = try state.renaming(members, as: imported.row.name)
        if old.suspension == nil, imported.row.suspension != nil { imported.after += try state.suspending(old) }
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
    static let accountRows = ExportedRows.AccountRows.own(
        "notes.author = ?1 AND notes.is_nameless = 0", privateIf: isPrivate)

    /// The condition for notes that a guardian does not receive.
    static let isPrivate = "notes.club IS NULL OR notes.audience IS NOT NULL"

    /// Completes an imported note. Notes without a club become private.
    static func complete(_ imported: inout RowImport<Note>, _ state: borrowing WriteState) throws(RequestError) {
        let isThere = try state.query(ReaderTable.find(key: imported.row.authorKey, in: state.db)) != nil
        guard isThere || imported.row.authorName == nil else {
            throw .violation("/authorName", "must be absent for a reader who has left")
        }
        guard imported.row.hasValidStoredAudience else {
            throw .violation("/audience", "must be moderators for a note with a club, or absent")
        }
        try state.demandRun(imported.row.run, of: imported.row.clubKey, on: imported.row.book)
        // An account contains no threshold. The threshold is the note's share of the book, in no scale.
        if imported.isNewOfAccount {
            imported.row.settle(SpoilerThreshold(at: nil, share: imported.row.progress ?? .whole))
        }
        if imported.row.club == nil { imported.row.becomePrivate() }
        if let old = imported.old, old.club != imported.row.club || old.audience != imported.row.audience {
            throw .refused(.importDiffers, "A note with this id exists and has another audience. Change it with PATCH.")
        }
        imported.after =
            try entry(showing: imported.row, over: imported.old, state)
            + state.counting([(imported.old, imported.row)], keepsTimes: true)
    }

    /// Returns the write to the entry that refers to a note. The entry's line comes first.
    private static func entry(
        showing note: Note, over old: Note?, _ state: borrowing WriteState
    ) throws(RequestError) -> [any CommandChange] {
        guard old == nil, let id = note.entry else { return try state.entryShowing(note, as: note) }
        guard let entry = try state.query(EntryTable.find(id, in: state.db)), entry.readerKey == note.authorKey else {
            throw .unknown("entry")
        }
        return entry.note == nil && entry.noteID == nil ? [state.write(entry, showing: note)] : []
    }
}

extension ShelfTable {
    static func isSeenByOthers(_ row: Shelf) -> Bool { row.club != nil }

    static func complete(_ imported: inout RowImport<Shelf>, _ state: borrowing WriteState) throws(RequestError) {
        if imported.isNewOfAccount {
            try Command.shelvesMax.demandRoom(
                beside: state.query(rows.count(of: "reader", imported.row.readerKey, in: state.db)))
        }
    }
}

extension ShelfBookTable {
    static func complete(_ imported: inout RowImport<ShelfBook>, _ state: borrowing WriteState) throws(RequestError) {
        if imported.line.context.isOfAccount,
            try state.found(ShelfTable.find(key: imported.row.shelfKey, in: state.db)).club != nil
        {
            throw .refused(
                .importDiffers, "The shelf is shared with a club here, which would see the book. Add the book yourself."
            )
        }
        if imported.isNewOfAccount {
            try Command.shelfBooksMax.demandRoom(
                beside: state.query(extent(of: imported.row.shelfKey, in: state.db).count))
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
    static func complete(_ imported: inout RowImport<ClientScene>, _ state: borrowing WriteState) throws(RequestError) {
        guard imported.row.value.bytes.count <= ClientScene.bytesMax else {
            throw .tooLarge(limit: "sceneBytesMax", max: ClientScene.bytesMax)
        }
        if imported.isNewOfAccount {
            try Command.scenesPerReaderMax.demandRoom(
                beside: state.query(rows.count(of: "reader", imported.row.readerKey, in: state.db)))
        }
        imported.after = [ClientSceneTable.use(of: imported.row.id, on: state.today)]
    }
}

extension SettingsTable {
    static func complete(_ imported: inout RowImport<Settings>, _ state: borrowing WriteState) throws(RequestError) {
        guard imported.old != nil else { throw .unknown("id") }
    }
}
