import Model

/// An update of a reader's marks, which logs the notes that become visible or invisible.
///
/// It must come after the writes that it follows from, because it derives the marks from the tables.
struct HighWaterMarkUpdate: CommandChange {
    let reader: Int64
    let change: HighWaterMarkChange

    init(_ reader: Int64, _ change: HighWaterMarkChange) { (self.reader, self.change) = (reader, change) }

    func apply(to transaction: inout WriteTransaction) throws(SQLiteError) -> CommandOutcome? {
        let db = transaction.connection
        let moves = try moves(in: db)
        guard !moves.isEmpty else { return nil }
        let seen = try NotesPassedByMark.unreached(for: reader, moves.filter { $0.from < $0.to }, in: db)
        let seq = transaction.nextSeq
        for move in moves {
            try HighWaterMarks.set(reader, move.key, to: move.to, seq: seq, at: transaction.now, in: db)
        }
        let falls = moves.filter { $0.to < $0.from }
        let lost = try NotesPassedByMark.unreached(for: reader, falls, in: db)
        let reason: ChangeOperation = falls.contains { $0.key.scale >= 0 } ? .undone : .hidden
        for (notes, operation) in [(seen, .unlocked), (lost, reason)] {
            for change in NoteVisibilityChange.changes(of: notes.map { ($0.club, $0.key) }, for: reader, operation) {
                _ = try change.apply(to: &transaction)
            }
        }
        return nil
    }

    /// Returns the marks that change, in the order of their scales.
    private func moves(in db: SQLiteConnection) throws(SQLiteError) -> [HighWaterMarkMove] {
        var wanted: HighWaterMarks.Values
        switch change {
        case .raise(let values), .set(let values): wanted = values
        case .lower(let values):
            // A mark that is further follows from another source.
            let now = try HighWaterMarks.now(reader, book: values.first?.key.book, in: db)
            wanted = try HighWaterMarks.derived(reader, now.keys.filter { now[$0] == values[$0] }, in: db)
        case .derive(let book):
            // Marks that no longer follow from anything fall to zero.
            wanted = try HighWaterMarks.now(reader, book: book, in: db).filter { $0.key.scale >= 0 }.mapValues { _ in 0
            }
            wanted.merge(try HighWaterMarks.derived(reader, book: book, in: db)) { $1 }
        }
        var moves: [HighWaterMarkMove] = []
        for (key, value) in wanted.sorted(by: { $0.key < $1.key }) {
            let now = try HighWaterMarks.now(reader, key, in: db)
            if case .raise = change, value <= now { continue }
            if value != now { moves.append(.init(key: key, from: now, to: value)) }
        }
        return moves
    }
}

enum HighWaterMarkChange {
    /// An increase to at least these values.
    case raise(HighWaterMarks.Values)
    /// The end of a source with these values in one book: the marks that it held fall to the furthest of the others.
    case lower(HighWaterMarks.Values)
    /// The values that follow from entries, finished readings and knowledge, of one book or all.
    case derive(book: Int64?)
    /// Exactly these values.
    case set(HighWaterMarks.Values)
}

extension WriteState {
    /// Returns the update of the reader's marks after an entry, or after its undo. Only members of clubs have marks.
    func marking(_ entry: Entry, in reading: Reading, isUndone: Bool = false) -> [any CommandChange] {
        guard reading.isOfMember else { return [] }
        let values = HighWaterMarks.values(entry.progress, entry.scaled, inBook: reading.bookKey)
        return [HighWaterMarkUpdate(reading.readerKey, isUndone ? .lower(values) : .raise(values))]
    }

    /// Returns the update of the reader's marks when a reading is finished or reopened.
    func marking(_ reading: Reading, isFinished: Bool) -> [any CommandChange] {
        guard reading.isOfMember else { return [] }
        let whole = HighWaterMarks.values(.whole, inBook: reading.bookKey)
        return [HighWaterMarkUpdate(reading.readerKey, isFinished ? .raise(whole) : .lower(whole))]
    }

    /// Returns the update of the reader's marks in a book after a reading is deleted or imported.
    func marking(readerOf reading: Reading) -> [any CommandChange] {
        guard reading.isOfMember else { return [] }
        return [HighWaterMarkUpdate(reading.readerKey, .derive(book: reading.bookKey))]
    }

    /// Returns the update of a member's mark for seeing all notes of a club, after the right was gained or lost.
    func markForAll(of member: Member, in club: Club) -> any CommandChange {
        HighWaterMarkUpdate(
            member.readerKey, .set([HighWaterMarkKey(aheadIn: club.key): club.seesAhead(member.role) ? 1 : 0]))
    }
}
