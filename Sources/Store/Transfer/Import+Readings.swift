import JSON
import Model

// The import of readings and their entries.

extension ReadingTable {
    /// Completes an imported reading. Each server numbers a reader's readings of a book, so a reading of an account gets
    /// the next number.
    static func complete(_ imported: inout RowImport<Reading>, _ state: borrowing WriteState) throws(RequestError) {
        if let id = imported.row.edition,
            try state.query(EditionTable.find(id, in: state.db))?.bookKey != imported.row.bookKey
        {
            throw .unknown("edition")
        }
        imported.row.isOfMember = try state.query(
            MemberTable.rows.count(of: "reader", imported.row.readerKey, in: state.db) > 0)
        imported.row.settle(at: imported.line.now)
        guard let old = imported.old else {
            if imported.line.context.isOfAccount {
                let greatest = try state.query(
                    greatestNumber(reader: imported.row.readerKey, book: imported.row.bookKey, in: state.db))
                guard greatest < Reading.numberMax else { throw .tooManyReadings }
                imported.row.number = greatest + 1
            }
            if imported.row.isFinished { imported.after = state.marking(imported.row, isFinished: true) }
            return
        }
        guard imported.row.latestEntry == old.latestEntry || imported.row.latestEntry == nil else {
            throw .refused(.importDiffers, "The existing reading has another latest entry. Change it with PATCH.")
        }
        (imported.row.latestEntry, imported.row.latestEntryAt) = (old.latestEntry, old.latestEntryAt)
        // The entries stay, so the line's progress may be that of an earlier one, unless the latest is still to come.
        let hasLatest = try imported.row.latestEntry.map { id throws(RequestError) in
            try state.query(EntryTable.find(id, in: state.db))?.readingKey == old.key
        }
        if hasLatest ?? true {
            let latest = try state.query(EntryTable.latest(of: old.key, in: state.db))
            imported.row = try state.showing(latest, in: imported.row)
        }
        imported.after = state.marking(readerOf: imported.row) + (try state.standings(of: imported.row))
    }
}

extension Reading {
    /// Corrects the dates, progress and page of an imported reading, so that they agree with its state.
    fileprivate mutating func settle(at now: Instant) {
        finishedAt = isFinished ? finishedAt ?? now : nil
        startedAt = startedAt.map { min($0, finishedAt ?? now) }
        if isFinished { progress = .whole }
        if isFinished, edition == nil { page = pageCount }
        if latestEntry == nil { latestEntryAt = nil }
    }
}

extension EntryTable {
    /// Returns an entry without the words of its note, which has its own line. A guardian receives no words of entries.
    static func exported(_ row: Entry, in scope: ExportScope) -> Entry {
        var entry = row
        let isManaged = if case .account(_, _, isManaged: true) = scope { true } else { false }
        if isManaged || entry.noteID != nil { entry.show(nil) }
        return entry
    }

    static func complete(_ imported: inout RowImport<Entry>, _ state: borrowing WriteState) throws(RequestError) {
        let reading = try state.found(ReadingTable.find(key: imported.row.readingKey, in: state.db))
        if reading.latestEntryAt.map({ $0 < imported.row.happenedAt }) ?? true {
            // The reading's line contains no latest entry, or an earlier one.
            let shown = try state.showing(imported.row, in: reading)
            imported.after.append(RowWrite<ReadingTable>(before: reading, after: shown, keepsTimes: true))
            imported.after += try state.standings(of: shown)
        }
        imported.after += state.marking(imported.row, in: reading)
    }
}
