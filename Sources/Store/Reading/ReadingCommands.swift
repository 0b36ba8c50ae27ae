import JSON
package import Model

extension Command {
    /// Starts a reading of a book, the first or a re-read. A reader has one open reading of a book, unless the draft
    /// says that it is a re-read or was finished earlier.
    package static func createReading(_ draft: ReadingDraft) -> Command {
        Command { state, actor throws(RequestError) in
            let book = try state.book(named: draft.book)
            var reading = try state.newReading(of: book, id: actor.newID, actor)
            if reading.number > 1, !draft.isReread, draft.finishedAt == nil,
                let open = try state.openReading(of: book.key, by: actor)
            {
                throw .taken(
                    .readingOpen,
                    "You have an open reading of this book: /v1/readings/\(open.id). To start another one, send isReread.",
                    CurrentResourceState(of: open))
            }
            if let id = draft.edition {
                try reading.setEdition(state.edition(named: id, of: book.key), pageCount: draft.pageCount)
            }
            draft.pageCount.apply(to: &reading.pageCount)
            let end = draft.finishedAt
            if end != nil { (reading.state, reading.progress) = (.finished, .whole) }
            try reading.take(
                startedAt: draft.startedAt.map { .value($0) } ?? .absent, finishedAt: end.map { .value($0) } ?? .absent,
                wasFinished: false, at: actor.now)
            reading = try state.showing(nil, in: reading)
            guard end != nil else { return CommandDecision([RowWrite<ReadingTable>(before: nil, after: reading)]) }
            return CommandDecision(
                [RowWrite<ReadingTable>(before: nil, after: reading)] + state.marking(reading, isFinished: true))
        }
    }

    /// Changes a reading's state. Only its reader may. A finished reading has the whole progress; a reopened one falls
    /// back to its latest entry. A first reading cannot be reopened while another reading of the book is open; a
    /// re-read can.
    package static func updateReading(_ id: ResourceID, _ patch: ReadingPatch) -> Command {
        Command { state, actor throws(RequestError) in
            let old = try state.reading(id, of: actor)
            try actor.precondition.check(old)
            var new = try state.applied(patch, to: old)
            switch patch.state {
            case .to(let wanted): new.state = wanted
            case .reopen: if old.isFinished { new.state = .reading }
            case nil: break
            }
            if new.isOpen, !old.isOpen, old.number == 1, let open = try state.openReading(of: old.bookKey, by: actor) {
                throw .taken(
                    .readingOpen,
                    "You have another open reading of this book: /v1/readings/\(open.id). Finish or abandon it first.",
                    CurrentResourceState(of: open))
            }
            try new.take(
                startedAt: patch.startedAt, finishedAt: patch.finishedAt, wasFinished: old.isFinished, at: actor.now)
            guard new.isFinished != old.isFinished else {
                let standings = new.finishedAt == old.finishedAt ? [] : try state.standings(of: new)
                return CommandDecision([RowWrite<ReadingTable>(before: old, after: new)] + standings)
            }
            if new.isFinished { new.progress = .whole }
            new = try state.showing(
                state.query(EntryTable.latest(of: old.key, in: state.db)), in: new)
            return CommandDecision(
                [RowWrite<ReadingTable>(before: old, after: new)] + state.marking(old, isFinished: new.isFinished)
                    + (try state.standings(of: new)))
        }
    }

    /// Deletes a reading with its entries. Only its reader may.
    package static func deleteReading(_ id: ResourceID) -> Command {
        Command { state, actor throws(RequestError) in
            let old = try state.reading(id, of: actor)
            try actor.precondition.check(old)
            let ends = try state.query(StoredTable.changes(atEndOf: .reading, old.key, in: state.db))
            return CommandDecision(
                ends + [RowWrite<ReadingTable>(before: old, after: nil)] + state.marking(readerOf: old)
                    + (try state.standings(of: old, isDeleted: true)), subject: ends.count)
        }
    }
}

extension WriteState {
    /// Returns a reading of the actor, or throws `notFound`.
    func reading(_ id: ResourceID, of actor: CommandActor) throws(RequestError) -> Reading {
        if let known = recentReadings[id] {
            guard known.readerKey == actor.viewer.readerKey else { throw .notFound }
            return known
        }
        let reading = try found(ReadingTable.find(id, in: db)) { $0.readerKey == actor.reader.key }
        recentReadings.keep(reading)
        return reading
    }

    /// Returns a new reading with the actor's next number for the book.
    func newReading(of book: Book, id: ResourceID, _ actor: CommandActor) throws(RequestError) -> Reading {
        let earlier = try query(ReadingTable.greatestNumber(reader: actor.reader.key, book: book.key, in: db))
        guard earlier < Reading.numberMax else { throw .tooManyReadings }
        var reading = Reading(
            id: id, reader: actor.reader, book: (book.id, book.key), number: earlier + 1, createdAt: actor.now)
        reading.pageCount = book.pageCount
        reading.isOfMember = try query(MemberTable.rows.count(of: "reader", actor.reader.key, in: db) > 0)
        return reading
    }

    /// Returns the actor's open reading of a book, or `nil`. If there are several, returns the latest.
    func openReading(of book: Int64, by actor: CommandActor) throws(RequestError) -> Reading? {
        let current = try query(ReadingTable.current(reader: actor.reader.key, book: book, in: db))
        return current.flatMap { $0.isOpen ? $0 : nil }
    }
}

extension RequestError {
    static let tooManyReadings = RequestError.exceeded(
        .limitReached, limit: "readingsOfBookMax", max: Int(Reading.numberMax),
        "A reader has at most \(Reading.numberMax) readings of a book.")
}
