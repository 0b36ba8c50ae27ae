import JSON
import Model

// What follows, table by table, from rows that come from another house.

extension ReaderTable {
    /// A reader who takes their account along is there already, under the name that they have here.
    static func isBrought(over old: Reader, _ bringing: Bringing) -> Bool { !bringing.isOfAccount }

    static func brought(
        _ row: Reader, over old: Reader?, _ state: borrowing WriteState, _ asker: Asker, _ bringing: Bringing
    ) throws(LecternError) -> Brought {
        let write = Write<ReaderTable>(before: old, after: row, keepsTimes: true)
        guard old != nil else {
            guard try !state.read(ShelfTable.rows.has(row.id, in: state.db)) else { throw .idTaken }
            guard row.role == .administrator else { return Brought(proposals: [write]) }
            let giving = try state.givingWay(to: row, asker, bringing)
            return Brought(proposals: giving.before + [write] + giving.after, subject: giving.before.count)
        }
        let members = try state.read(MemberTable.all(ofReader: row.key, in: state.db))
        return Brought(proposals: [write] + (try state.renaming(members, as: row.name)))
    }
}

extension BookTable {
    static var isShared: Bool { true }

    /// What an account says of a book that is here is not asked for: the house's word counts.
    static func isBrought(over old: Book, _ bringing: Bringing) -> Bool { !bringing.isOfAccount }

    static func brought(
        _ row: Book, over old: Book?, _ state: borrowing WriteState, _ asker: Asker, _ bringing: Bringing
    ) throws(LecternError) -> Brought {
        var book = row
        // Whoever brings a book answers for it.
        if old == nil, bringing.isOfAccount, asker.viewer.role == .reader { book.adderKey = asker.reader.key }
        return Brought(proposals: [Write<BookTable>(before: old, after: book, keepsTimes: true)])
    }
}

extension ReadingTable {
    /// A reading of a book of which the reader has others here is one more of them.
    static func brought(
        _ row: Reading, over old: Reading?, _ state: borrowing WriteState, _ asker: Asker, _ bringing: Bringing
    ) throws(LecternError) -> Brought {
        var reading = row
        if let id = row.edition, try state.read(EditionTable.find(id, in: state.db))?.bookKey != row.bookKey {
            throw .unknown("edition")
        }
        reading.isOfMember = try state.read(MemberTable.has(reader: row.readerKey, in: state.db))
        reading.settle(at: asker.now)
        guard let old else {
            if bringing.isOfAccount {
                let greatest = try state.read(
                    greatestNumber(reader: row.readerKey, book: row.bookKey, in: state.db))
                if row.number <= greatest {
                    guard greatest < Reading.numberMax else { throw .tooManyReadings }
                    reading.renumber(greatest + 1)
                }
            }
            let write = Write<ReadingTable>(before: nil, after: reading, keepsTimes: true)
            let awaited = row.latestEntry == nil ? [] : [AwaitedEntry(reading: row.id, isThere: false)]
            return Brought(proposals: [write] + awaited + (try reach(of: reading, state)))
        }
        guard row.latestEntry == old.latestEntry || row.latestEntry == nil else {
            throw .refused(.importDiffers, "This is there already, with another latest entry: PATCH changes it.")
        }
        (reading.latestEntry, reading.latestEntryAt) = (old.latestEntry, old.latestEntryAt)
        return Brought(
            proposals: [Write<ReadingTable>(before: old, after: reading, keepsTimes: true)]
                + (try state.consequences(
                    of: reading, reopening: !reading.isFinished, finishing: reading.isFinished))
                + (try state.standings(of: reading)))
    }

    private static func reach(of reading: Reading, _ state: borrowing WriteState) throws(LecternError) -> [any Proposal]
    {
        guard reading.isOfMember, reading.isFinished else { return [] }
        return try state.consequences(
            reader: reading.readerKey, reached: [Reached(place: reading.bookKey, share: .whole)], mayFallBack: false)
    }

    /// Which of a reader's readings of a book it is, each house counts for itself.
    static func separate(
        _ row: inout Reading, _ state: borrowing WriteState, _ bringing: Bringing
    ) throws(LecternError) -> [any Proposal] {
        if let old = try state.read(find(row.id, in: state.db)) { row.renumber(old.number) }
        return []
    }
}

extension Reading {
    /// What its state says, and other houses may have said otherwise.
    fileprivate mutating func settle(at now: Instant) {
        finishedAt = isFinished ? finishedAt ?? now : nil
        startedAt = startedAt.map { min($0, now, finishedAt ?? now) }
        if isFinished { progress = .whole }
        if isFinished, edition == nil { page = pageCount }
        if latestEntry == nil { latestEntryAt = nil }
    }

    fileprivate mutating func renumber(_ number: Int32) {
        for column in Self.fields.columns where column.name == "number" {
            // The column is a number.
            _ = column.put(&self, .integer(Int64(number)))
        }
    }
}

extension EntryTable {
    /// What its note says the note's line does.
    static func exported(_ row: Entry) -> Entry {
        var entry = row
        if entry.noteID != nil { entry.show(nil) }
        return entry
    }

    static func brought(
        _ row: Entry, over old: Entry?, _ state: borrowing WriteState, _ asker: Asker, _ bringing: Bringing
    ) throws(LecternError) -> Brought {
        let reading = try state.found(ReadingTable.find(key: row.readingKey, in: state.db))
        var whole = reading
        whole.isOfMember = try state.read(MemberTable.has(reader: reading.readerKey, in: state.db))
        var row = row
        row.settleInFrame()
        guard row.isPlacedWhole else {
            throw .invalid([
                Violation(
                    pointer: "/frame", detail: "must be there with at and floor, and depth and chaptersAt only with it")
            ])
        }
        var proposals: [any Proposal] = [Write<EntryTable>(before: nil, after: row)]
        if reading.latestEntry == row.id {
            proposals.append(AwaitedEntry(reading: reading.id, isThere: true))
        } else if try isLater(row, than: reading, state, at: asker.now) {
            // The reading's line said nothing of a latest one, or of an earlier one.
            let shown = try state.showing(row, in: whole)
            proposals.append(Write<ReadingTable>(before: reading, after: shown, keepsTimes: true))
            proposals += try state.standings(of: shown)
        }
        return Brought(proposals: proposals + (try state.consequences(of: row, in: whole)))
    }

    /// Whether an entry took place after all that there are of a reading which waits for none.
    private static func isLater(
        _ entry: Entry, than reading: Reading, _ state: borrowing WriteState, at now: Instant
    ) throws(LecternError) -> Bool {
        guard let id = reading.latestEntry else { return true }
        if try state.read(AwaitedEntry.isOne(of: reading.key, in: state.db)) { return false }
        let latest = try state.read(find(id, in: state.db))
        return latest.map { $0.takesPlace(now) < entry.takesPlace(now) } ?? true
    }
}

extension ClubTable {
    static var isReplaceable: Bool { false }

    static func brought(
        _ row: Club, over old: Club?, _ state: borrowing WriteState, _ asker: Asker, _ bringing: Bringing
    ) throws(LecternError) -> Brought {
        var club = row
        club.key = try state.read(nextKey(in: state.db))
        return Brought(proposals: [Write<ClubTable>(before: nil, after: club)])
    }
}

extension ListingTable {
    static func brought(
        _ row: Listing, over old: Listing?, _ state: borrowing WriteState, _ asker: Asker, _ bringing: Bringing
    ) throws(LecternError) -> Brought {
        var listing = row
        guard let club = try state.read(ClubTable.find(row.id, in: state.db)) else { throw .unknown("id") }
        listing.key = club.key
        return Brought(proposals: [Write<ListingTable>(before: old, after: listing, keepsTimes: true)])
    }
}

extension MemberTable {
    static var isReplaceable: Bool { false }

    static func brought(
        _ row: Member, over old: Member?, _ state: borrowing WriteState, _ asker: Asker, _ bringing: Bringing
    ) throws(LecternError) -> Brought {
        let club = try state.found(ClubTable.find(key: row.clubKey, in: state.db))
        let steps = try state.steps(of: row.readerKey, as: row.role, to: club)
        return Brought(
            proposals: steps + [
                Write<MemberTable>(before: nil, after: row),
                TellReader(of: .created, club: row.club, reader: row.readerKey),
            ], subject: steps.count)
    }
}

extension StandingTable {
    static func brought(
        _ row: Standing, over old: Standing?, _ state: borrowing WriteState, _ asker: Asker, _ bringing: Bringing
    ) throws(LecternError) -> Brought {
        let member = try state.found(MemberTable.find(key: row.memberKey, in: state.db))
        guard row.audience == .club || member.sharesWithModerators != nil else {
            throw .invalid([
                Violation(pointer: "/audience", detail: "is for whom the member shares with moderators apart")
            ])
        }
        guard try state.read(ReadingTable.find(row.reading, in: state.db))?.readerKey == member.readerKey else {
            throw .unknown("reading")
        }
        return Brought(proposals: [Write<StandingTable>(before: old, after: row, keepsTimes: true)])
    }
}

extension JoinRequestTable {
    static var isReplaceable: Bool { false }

    static func brought(
        _ row: JoinRequest, over old: JoinRequest?, _ state: borrowing WriteState, _ asker: Asker, _ bringing: Bringing
    ) throws(LecternError) -> Brought {
        Brought(proposals: [
            Write<JoinRequestTable>(before: nil, after: row), TellAsker(before: nil, after: row),
        ])
    }
}
