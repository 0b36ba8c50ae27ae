import JSON
import Model

/// The applying of decisions: gives each change its version, writes the row and its log entry, and skips what changes
/// nothing. Changes decided elsewhere come in by here too.
struct Application {
    private let connection: Connection
    var log: ChangeLog
    /// The changes of the transaction that is open, in order.
    private(set) var changes: [Change] = []
    let recentReadings = RecentReadings()
    /// Whether something was written that is no change.
    private(set) var hasSilentWrites = false

    init(_ connection: Connection) throws(SQLiteError) {
        self.connection = connection
        log = try ChangeLog(connection)
    }

    /// Where the transaction stands, to come back to.
    struct Mark {
        let seq: Int64
        let count: Int
    }

    var mark: Mark { Mark(seq: log.nextSeq, count: changes.count) }

    /// Forgets what was applied after the mark; the database has rolled it back.
    mutating func rewind(to mark: Mark) {
        log.rewind(to: mark.seq)
        recentReadings.forget()
        changes.removeSubrange(mark.count...)
    }

    /// Begins the next transaction.
    mutating func begin() {
        changes.removeAll(keepingCapacity: true)
        hasSilentWrites = false
    }

    /// Notes that the transaction must be committed although it may hold no change.
    mutating func noteSilentWrite() { hasSilentWrites = true }

    /// Applies a decision; the outcome is that of its subject.
    mutating func apply(_ decision: Decision, at now: Instant) throws(SQLiteError) -> Outcome {
        let command = log.nextSeq
        var subject: Outcome?
        for (index, proposal) in decision.proposals.enumerated() {
            let outcome = try apply(proposal, Moment(at: now, command: command))
            recentReadings.learn(proposal, outcome, at: now)
            if index == decision.subject { subject = outcome }
        }
        return subject
            ?? Outcome(kind: .token, id: ResourceID(high: 0, low: 0), version: 0, value: nil, effect: .unchanged)
    }

    private struct Moment {
        let at: Instant
        let command: Int64
    }

    private mutating func apply(_ proposal: Proposal, _ moment: Moment) throws(SQLiteError) -> Outcome? {
        switch proposal {
        case .book(let before, var after):
            let difference = before.flatMap { before in after?.difference(from: before) }
            let isSeenOnCards = before == nil || !(difference?.changed.isDisjoint(with: Book.fieldsOfCard) ?? true)
            if isSeenOnCards { after?.cardVersion = log.nextSeq }
            return try apply(BookTable.self, before, after, moment)
        case .reading(let before, let after): return try apply(ReadingTable.self, before, after, moment)
        case .entry(let before, let after): return try apply(EntryTable.self, before, after, moment)
        case .reader(let before, let after): return try apply(ReaderTable.self, before, after, moment)
        case .club(let before, let after): return try apply(ClubTable.self, before, after, moment)
        case .member(let before, let after): return try apply(MemberTable.self, before, after, moment)
        case .invitation(let before, let after): return try apply(InvitationTable.self, before, after, moment)
        case .note(let before, let after): return try apply(NoteTable.self, before, after, moment)
        case .clubBook(let before, let after): return try apply(ClubBookTable.self, before, after, moment)
        case .milestone(let before, let after): return try apply(MilestoneTable.self, before, after, moment)
        case .standing(let before, let after): return try apply(StandingTable.self, before, after, moment)
        case .meeting(let before, let after): return try apply(MeetingTable.self, before, after, moment)
        case .attendance(let before, let after): return try apply(AttendanceTable.self, before, after, moment)
        case .calendar(let before, let after): return try apply(CalendarTable.self, before, after, moment)
        case .listing(let before, let after): return try apply(ListingTable.self, before, after, moment)
        case .joinRequest(let before, let after): return try apply(JoinRequestTable.self, before, after, moment)
        case .removal(let before, let after): return try apply(RemovalTable.self, before, after, moment)
        case .membership(let operation, let club, let reader):
            var membership = Membership(club: club)
            membership.version = log.nextSeq
            let value = membership.encoded()
            return try note(
                membership, operation, moment, scope: .reader(key: reader), value: operation == .deleted ? nil : value,
                before: operation == .deleted ? value : nil)
        case .unlock(let notes, let club, let reader):
            try unlock(notes, of: club, reader, moment)
            return nil
        case .reach(let reader, let place, let progress):
            try Reach.step(reader, place, to: progress, at: log.nextSeq, in: connection)
            hasSilentWrites = true
            return nil
        case .tell(let before, let after): return try tell(before, after, moment)
        case .react(let reaction, let isThere, let note, let reader):
            try ReactionTable.set(reaction, isThere, note: note, reader: reader, in: connection)
            hasSilentWrites = true
            return nil
        case .issue(var token, let digest):
            token.version = log.nextSeq
            _ = try TokenTable.insert(token, digest: digest, in: connection)
            return try note(
                token, .created, moment, scope: .reader(key: token.readerKey), value: token.encoded(), before: nil)
        case .revoke(let token):
            try TokenTable.delete(token, in: connection)
            return try note(
                token, .deleted, moment, scope: .reader(key: token.readerKey), value: nil, before: token.encoded())
        case .touch(let id, let day):
            try TokenTable.touch(id, day: day, in: connection)
            hasSilentWrites = true
            return nil
        }
    }

    private mutating func apply<Rows: Table>(
        _ table: Rows.Type, _ before: Rows.Row?, _ after: Rows.Row?, _ moment: Moment
    ) throws(SQLiteError) -> Outcome? {
        switch (before, after) {
        case (nil, nil): return nil
        case (nil, var row?):
            row.version = log.nextSeq
            let key = try Rows.insert(row, in: connection)
            let scope = try Rows.scope(of: row, key: key, in: connection)
            return try note(row, .created, moment, scope: scope, value: row.encoded(), before: nil)
        case (let old?, nil):
            let scope = try Rows.scope(of: old, key: old.key, in: connection)
            try Rows.delete(old, in: connection)
            return try note(old, .deleted, moment, scope: scope, value: nil, before: old.encoded())
        case (let old?, var row?):
            row.version = log.nextSeq
            if row.updatedAt != nil { row.updatedAt = moment.at }
            guard let difference = row.difference(from: old) else {
                return Outcome(
                    kind: Rows.Row.kind, id: old.id, version: old.version, value: old.encoded(), effect: .unchanged)
            }
            try Rows.update(row, changed: difference.changed, in: connection)
            let scope = try Rows.scope(of: row, key: row.key, in: connection)
            return try note(
                row, .updated, moment, scope: scope, value: difference.value, before: difference.before,
                changed: difference.changed)
        }
    }

    /// All of them are one row of the log, which only names them: who is told makes of it what the notes were (see
    /// `ReadConnection.unlocked`). A row with its value for each would cost more than all the rest of an entry.
    private mutating func unlock(
        _ notes: [Int64], of club: Int64, _ reader: Int64, _ moment: Moment
    ) throws(SQLiteError) {
        var json = JSONWriter(capacity: 8 * notes.count)
        json.beginArray()
        for note in notes { json.integer(note) }
        json.endArray()
        let change = Change(
            seq: log.nextSeq, transaction: moment.command, at: moment.at, kind: .note,
            id: ResourceID(high: 0, low: 0), scope: .club(key: club, only: reader), operation: .unlocked, changed: [],
            value: json.bytes, before: nil)
        try log.append(change)
        changes.append(change)
    }

    private mutating func tell(
        _ before: JoinRequest?, _ after: JoinRequest?, _ moment: Moment
    ) throws(SQLiteError) -> Outcome? {
        guard var told = after ?? before else { return nil }
        let scope = Scope.reader(key: told.readerKey)
        guard after != nil else {
            return try note(told, .deleted, moment, scope: scope, value: nil, before: told.encoded())
        }
        told.version = log.nextSeq - 1
        guard let before else {
            return try note(told, .created, moment, scope: scope, value: told.encoded(), before: nil)
        }
        told.updatedAt = moment.at
        let difference = told.difference(from: before)
        return try note(
            told, .updated, moment, scope: scope, value: difference?.value ?? told.encoded(),
            before: difference?.before,
            changed: difference?.changed ?? [])
    }

    private mutating func note<Row: Resource>(
        _ row: Row, _ operation: ChangeOperation, _ moment: Moment, scope: Scope, value: [UInt8]?, before: [UInt8]?,
        changed: FieldSet = []
    ) throws(SQLiteError) -> Outcome {
        let change = Change(
            seq: log.nextSeq, transaction: moment.command, at: moment.at, kind: Row.kind, id: row.id, scope: scope,
            operation: operation, changed: changed, value: value, before: before)
        try log.append(change)
        changes.append(change)
        let effect: Outcome.Effect =
            switch operation {
            case .created: .created
            case .updated: .updated
            case .deleted: .deleted
            case .unlocked: .unchanged
            }
        return Outcome(kind: Row.kind, id: row.id, version: change.seq, value: value, effect: effect)
    }
}
