package import Model

/// What a club does together. Who asks has been found to be a member.
extension ReadConnection {
    /// A page of rows in the order of a number and their key, or in the reverse. `columns` come first; `rows` says of which tables, and which.
    func page<Row: Sendable>(
        _ list: PageCursor.List, _ shape: Int, after cursor: String?, limit: Int, select columns: String,
        from rows: @autoclosure () -> String, by order: String, key: String,
        isDescending: Bool = false, _ bind: (Statement) -> Void, _ row: (Statement) -> Row
    ) throws(LecternError) -> Page<Row> {
        let cursor = try PageCursor(cursor, of: list)
        return try query { db throws(SQLiteError) in
            let statement = try db.statement(shape: shape) {
                """
                SELECT \(columns), \(order), \(key) FROM \(rows())
                    AND (\(order), \(key)) \(isDescending ? "<" : ">") (?7, ?8)
                ORDER BY \(order)\(isDescending ? " DESC" : ""), \(key)\(isDescending ? " DESC" : "") LIMIT ?9
                """
            }
            var value = isDescending ? Int64.max : .min
            if case .integer(let number)? = cursor?.value { value = number }
            bind(statement.bind(7, value).bind(8, cursor?.key ?? (isDescending ? .max : -1)).bind(9, Int64(limit + 1)))
            let end = statement.columnCount
            return try Page(of: statement, limit: limit, row) {
                PageCursor(list, .integer($0.integer(end - 2)), key: $0.integer(end - 1))
            }
        }
    }

    /// The books on a club's list, in its order.
    package func books(ofClub club: Int64, after cursor: String?, limit: Int) throws(LecternError) -> Page<ClubBook> {
        try page(
            .clubBooks, Connection.Shape.of(.clubBook, 10), after: cursor, limit: limit,
            select: ClubBookTable.columns, from: "\(ClubBookTable.joins) WHERE club_books.club = ?1",
            by: "club_books.place", key: "club_books.key", { $0.bind(1, club) }, ClubBookTable.row)
    }

    /// A book on a club's list; without an id the current one.
    package func book(_ id: ResourceID?, ofClub club: Int64) throws(LecternError) -> ClubBook? {
        try query { db throws(SQLiteError) in try ClubBookTable.find(id, of: club, in: db) }
    }

    /// A club's milestones, of one book where one is given, in the order in which they fall due.
    package func milestones(
        ofClub club: Int64, book: ResourceID?, after cursor: String?, limit: Int
    ) throws(LecternError) -> Page<Milestone> {
        try page(
            .milestones, Connection.Shape.of(.milestone, book == nil ? 10 : 11), after: cursor, limit: limit,
            select: MilestoneTable.columns,
            from: "\(MilestoneTable.joins) WHERE club_books.club = ?1\(book == nil ? "" : " AND books.id = ?2")",
            by: "milestones.due_at", key: "milestones.key", { $0.bind(1, club).bind(ifAny: book) }, MilestoneTable.row)
    }

    /// A club's standings in a book, or in its current one, in the order in which the members began to read along.
    package func standings(
        ofClub club: Int64, book: ResourceID?, after cursor: String?, limit: Int
    ) throws(LecternError) -> Page<Standing> {
        let condition = book == nil ? "club_books.state = 'current'" : "books.id = ?2"
        return try page(
            .standings, Connection.Shape.of(.standing, book == nil ? 10 : 11), after: cursor, limit: limit,
            select: StandingTable.columns,
            from: "\(StandingTable.joins) WHERE club_books.club = ?1 AND \(condition)",
            by: "standings.key", key: "standings.key", { $0.bind(1, club).bind(ifAny: book) }, StandingTable.row)
    }

    /// A club's meetings, in the order of time; those that have begun or not where that is asked.
    package func meetings(
        ofClub club: Int64, haveBegun: Bool?, after cursor: String?, limit: Int
    ) throws(LecternError) -> Page<Meeting> {
        let condition = haveBegun.map { " AND meetings.has_begun = \($0 ? 1 : 0)" } ?? ""
        return try page(
            .meetings, Connection.Shape.of(.meeting, 10 + (haveBegun.map { $0 ? 2 : 1 } ?? 0)), after: cursor,
            limit: limit, select: MeetingTable.columns,
            from: "\(MeetingTable.joins) WHERE meetings.club = ?1\(condition)",
            by: "meetings.starts_at", key: "meetings.key", { $0.bind(1, club) }, MeetingTable.row)
    }

    /// A meeting of a club; without an id the next one.
    package func meeting(_ id: ResourceID?, ofClub club: Int64) throws(LecternError) -> Meeting? {
        try query { db throws(SQLiteError) in
            if let id { try MeetingTable.find(id, of: club, in: db) } else { try MeetingTable.next(of: club, in: db) }
        }
    }

    /// Who comes to a meeting, as they said, in the order in which they first said something.
    package func attendances(
        of meeting: Meeting, after cursor: String?, limit: Int
    ) throws(LecternError) -> Page<Attendance> {
        try page(
            .attendances, Connection.Shape.of(.attendance, 10), after: cursor, limit: limit,
            select: AttendanceTable.columns, from: "\(AttendanceTable.joins) WHERE attendances.meeting = ?1",
            by: "attendances.key", key: "attendances.key", { $0.bind(1, meeting.key) }, AttendanceTable.row)
    }

    /// The club's notes that a reader sees (one more than are shown at most) and that a meeting is about: on its book, up to its position, in the order of
    /// the book and of time; those on the book as a whole come first.
    package func notes(for meeting: Meeting, seenBy reader: Int64) throws(LecternError) -> [Note] {
        try query { db throws(SQLiteError) in
            try db.statement(shape: Connection.Shape.of(.note, 10)) {
                """
                SELECT \(NoteTable.columns) FROM \(NoteTable.joins)
                WHERE notes.club = ?2 AND notes.book = ?3 AND ifnull(notes.position, 0) <= ?4 AND \(NoteGate.sees)
                ORDER BY notes.position, notes.key LIMIT \(Self.notesOfMeetingMax + 1)
                """
            }.bind(1, reader).bind(2, meeting.clubKey).bind(3, meeting.bookKey)
                .bind(4, Int64((meeting.progress ?? .whole).millionths)).all(NoteTable.row)
        }
    }

    /// Notes that the view of a meeting shows at most.
    package static let notesOfMeetingMax = 1000

    /// The addresses of a club's calendar that are a member's own.
    package func calendars(of member: Member) throws(LecternError) -> [Calendar] {
        try query { db throws(SQLiteError) in try CalendarTable.all(member: member.key, in: db) }
    }

    /// What is in the calendar at a secret address: the last 200 meetings, and 500 milestones. Nil when there is none.
    package func calendar(
        digest: Digest
    ) throws(LecternError) -> (club: Club, meetings: [Meeting], milestones: [Milestone])? {
        try query { db throws(SQLiteError) in
            guard let key = try CalendarTable.club(digest: digest, in: db),
                let club = try ClubTable.find(key: key, in: db)
            else { return nil }
            let meetings = try db.statement(shape: Connection.Shape.of(.calendar, 10)) {
                """
                SELECT \(MeetingTable.columns) FROM \(MeetingTable.joins) WHERE meetings.club = ?1
                ORDER BY meetings.starts_at DESC, meetings.key LIMIT 200
                """
            }.bind(1, key).all(MeetingTable.row)
            let milestones = try db.statement(shape: Connection.Shape.of(.calendar, 11)) {
                """
                SELECT \(MilestoneTable.columns) FROM \(MilestoneTable.joins) WHERE club_books.club = ?1
                ORDER BY milestones.due_at DESC, milestones.key LIMIT 500
                """
            }.bind(1, key).all(MilestoneTable.row)
            return (club, meetings, milestones)
        }
    }

    /// Who reacted to a note, and how, in the order of readers' ids. The asker has been found to see it.
    package func reactions(to note: Note) throws(LecternError) -> [(reader: ResourceID, reaction: String)] {
        try query { db throws(SQLiteError) in
            try db.statement(
                """
                SELECT readers.id, reactions.reaction FROM reactions JOIN readers ON readers.key = reactions.reader
                WHERE reactions.note = ?1 ORDER BY readers.id, reactions.reaction
                """
            ).bind(1, note.key).all { ($0.id(0), $0.text(1)) }
        }
    }

    /// The clubs that are listed, in the order in which they were founded.
    package func listings(after cursor: String?, limit: Int) throws(LecternError) -> Page<Listing> {
        try page(
            .listings, Connection.Shape.of(.listing, 10), after: cursor, limit: limit, select: ListingTable.columns,
            from: "listings WHERE 1", by: "listings.key", key: "listings.key", { _ in }, ListingTable.row)
    }

    /// What everyone may know of a club.
    package func listing(_ id: ResourceID) throws(LecternError) -> Listing? {
        try query { db throws(SQLiteError) in try ListingTable.find(id, in: db) }
    }

    /// The requests of a reader, or those that wait in a club, in the order in which they were made.
    package func joinRequests(
        of reader: Int64? = nil, toClub club: Int64? = nil, after cursor: String?, limit: Int
    ) throws(LecternError) -> Page<JoinRequest> {
        let condition =
            reader == nil ? "join_requests.club = ?1 AND join_requests.state = 'waiting'" : "join_requests.reader = ?1"
        return try page(
            .joinRequests, Connection.Shape.of(.joinRequest, reader == nil ? 10 : 11), after: cursor, limit: limit,
            select: JoinRequestTable.columns, from: "\(JoinRequestTable.joins) WHERE \(condition)",
            by: "join_requests.key", key: "join_requests.key", { $0.bind(1, reader ?? club) }, JoinRequestTable.row)
    }
}

extension Statement {
    fileprivate func bind(ifAny book: ResourceID?) { if let book { bind(2, book) } }
}
