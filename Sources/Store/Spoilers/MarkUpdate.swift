import Model

/// An update of a reader's marks, which logs the notes that become visible or invisible.
///
/// It must come after the writes that it follows from, because it derives the marks from the tables.
struct MarkUpdate: Proposal {
    let reader: Int64
    let change: MarkChange

    init(_ reader: Int64, _ change: MarkChange) { (self.reader, self.change) = (reader, change) }

    func apply(to transaction: inout WriteTransaction, _ moment: ChangeMoment) throws(SQLiteError) -> CommandOutcome? {
        let db = transaction.connection
        let moves = try moves(in: db)
        guard !moves.isEmpty else { return nil }
        let seen = try PassedNotes.unreached(for: reader, moves.filter { $0.from < $0.to }, in: db)
        let seq = transaction.log.nextSeq
        for move in moves { try Marks.set(reader, move.place, to: move.to, seq: seq, at: moment.at, in: db) }
        transaction.noteSilentWrite()
        let falls = moves.filter { $0.to < $0.from }
        let lost = try PassedNotes.unreached(for: reader, falls, in: db)
        let reason: HidingReason = falls.contains { $0.place.scale >= 0 } ? .undone : .hidden
        for group in Unlock.groups(of: seen) {
            _ = try Unlock(notes: group.notes, club: group.club, reader: reader).apply(to: &transaction, moment)
        }
        for group in Unlock.groups(of: lost) {
            _ = try Unlock(notes: group.notes, club: group.club, reader: reader, leaving: reason)
                .apply(to: &transaction, moment)
        }
        return nil
    }

    /// Returns the marks that change, in the order of their scales.
    private func moves(in db: Connection) throws(SQLiteError) -> [MarkMove] {
        var wanted: Marks.Values
        switch change {
        case .raise(let values), .set(let values): wanted = values
        case .derive(let book):
            // Marks that no longer follow from anything fall to zero.
            wanted = try Marks.now(reader, book: book, in: db).filter { $0.key.scale >= 0 }.mapValues { _ in 0 }
            wanted.merge(try Marks.derived(reader, book: book, in: db)) { $1 }
        }
        var moves: [MarkMove] = []
        for (place, value) in wanted.sorted(by: { $0.key < $1.key }) {
            let now = try Marks.now(reader, place, in: db)
            if case .raise = change, value <= now { continue }
            if value != now { moves.append(.init(place: place, from: now, to: value)) }
        }
        return moves
    }
}

enum MarkChange {
    /// An increase to at least these values.
    case raise(Marks.Values)
    /// The values that follow from entries, finished readings and knowledge, of one book or all.
    case derive(book: Int64?)
    /// Exactly these values.
    case set(Marks.Values)
}

extension WriteState {
    /// Returns the update of the reader's marks after an entry. Only members of clubs have marks.
    func marking(_ entry: Entry, in reading: Reading) -> [any Proposal] {
        guard reading.isOfMember else { return [] }
        var values: Marks.Values = [MarkKey(shareOf: reading.bookKey): Int64(entry.progress.millionths)]
        for (scale, amount) in entry.scaled.all { values[MarkKey(book: reading.bookKey, scale: scale)] = amount }
        return [MarkUpdate(reading.readerKey, .raise(values))]
    }

    /// Returns the update of the reader's marks in a book after an undo, or when a reading is finished or reopened.
    func marking(readerOf reading: Reading) -> [any Proposal] {
        guard reading.isOfMember else { return [] }
        return [MarkUpdate(reading.readerKey, .derive(book: reading.bookKey))]
    }

    /// Returns the update of a member's mark for seeing all notes of a club, after the right was gained or lost.
    func markingSight(of member: Member, in club: Club) -> any Proposal {
        let seesAhead = club.moderatorsSeeAhead && member.role != .member
        return MarkUpdate(member.readerKey, .set([MarkKey(aheadIn: club.key): seesAhead ? 1 : 0]))
    }
}
