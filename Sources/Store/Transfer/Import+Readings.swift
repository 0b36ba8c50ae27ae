import JSON
import Model

// The import of readings and their entries.

extension ReadingTable {
    /// Completes an imported reading. Each server numbers a reader's readings of a book, so a reading of an account gets
    /// the next number.
    static func complete(
        _ row: inout Reading, over old: Reading?, _ line: ImportLine, _ state: borrowing WriteState,
        _ others: inout ImportedChanges
    ) throws(RequestError) {
        if let id = row.edition, try state.read(EditionTable.find(id, in: state.db))?.bookKey != row.bookKey {
            throw .unknown("edition")
        }
        row.isOfMember = try state.read(MemberTable.rows.count(of: "reader", row.readerKey, in: state.db) > 0)
        row.settle(at: line.now)
        guard let old else {
            if line.context.isOfAccount {
                let greatest = try state.read(
                    greatestNumber(reader: row.readerKey, book: row.bookKey, in: state.db))
                guard greatest < Reading.numberMax else { throw .tooManyReadings }
                row.number = greatest + 1
            }
            if row.isFinished { others.after = state.marking(readerOf: row) }
            return
        }
        guard row.latestEntry == old.latestEntry || row.latestEntry == nil else {
            throw .refused(.importDiffers, "The existing reading has another latest entry. Change it with PATCH.")
        }
        (row.latestEntry, row.latestEntryAt) = (old.latestEntry, old.latestEntryAt)
        // The entries stay, so the line's progress may be that of an earlier one, unless the latest is still to come.
        let hasLatest = try row.latestEntry.map { id throws(RequestError) in
            try state.read(EntryTable.find(id, in: state.db))?.readingKey == old.key
        }
        if hasLatest ?? true {
            let latest = try state.read(EntryTable.latest(of: old.key, in: state.db))
            row = try state.showing(latest, in: row)
        }
        others.after = state.marking(readerOf: row) + (try state.standings(of: row))
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
        if case .account(_, _, isManaged: true) = scope {
            entry.show(nil)
        } else if entry.noteID != nil {
            entry.show(nil)
        }
        return entry
    }

    static func complete(
        _ row: inout Entry, over old: Entry?, _ line: ImportLine, _ state: borrowing WriteState,
        _ others: inout ImportedChanges
    ) throws(RequestError) {
        let reading = try state.found(ReadingTable.find(key: row.readingKey, in: state.db))
        if reading.latestEntryAt.map({ $0 < row.happenedAt }) ?? true {
            // The reading's line contains no latest entry, or an earlier one.
            let shown = try state.showing(row, in: reading)
            others.after.append(RowWrite<ReadingTable>(before: reading, after: shown, keepsTimes: true))
            others.after += try state.standings(of: shown)
        }
        others.after += state.marking(row, in: reading)
    }
}
