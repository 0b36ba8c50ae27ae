package import Model

extension ReadConnection {
    /// A club that the reader is in, and as what; nil for any other, whether it is there or not.
    package func club(_ id: ResourceID, of reader: Int64) throws(LecternError) -> (club: Club, member: Member)? {
        try query { db throws(SQLiteError) in
            guard let club = try ClubTable.find(id, in: db),
                let member = try MemberTable.find(reader: reader, club: club.key, in: db)
            else { return nil }
            return (club, member)
        }
    }

    /// The clubs that a reader is in, the one joined last first.
    package func clubs(of reader: Int64, after cursor: String?, limit: Int) throws(LecternError) -> Page<Club> {
        try page(
            .clubs, Connection.Shape.of(.club, 10), after: cursor, limit: limit, select: ClubTable.columns,
            from: "members JOIN clubs ON clubs.key = members.club WHERE members.reader = ?1",
            by: "members.key", key: "members.key", isDescending: true, { $0.bind(1, reader) }, ClubTable.row)
    }

    /// The members of a club, the one who came last first.
    package func members(of club: Int64, after cursor: String?, limit: Int) throws(LecternError) -> Page<Member> {
        try page(
            .members, Connection.Shape.of(.member, 10), after: cursor, limit: limit, select: MemberTable.columns,
            from: "\(MemberTable.joins) WHERE members.club = ?1",
            by: "members.key", key: "members.key", isDescending: true, { $0.bind(1, club) }, MemberTable.row)
    }

    /// The invitations into a club, newest first.
    package func invitations(
        to club: Int64, after cursor: String?, limit: Int
    ) throws(LecternError) -> Page<Invitation> {
        try page(
            .invitations, Connection.Shape.of(.invitation, 10), after: cursor, limit: limit,
            select: InvitationTable.columns, from: "\(InvitationTable.joins) WHERE invitations.club = ?1",
            by: "invitations.key", key: "invitations.key", isDescending: true, { $0.bind(1, club) },
            InvitationTable.row)
    }

    /// Those who were taken out of a club, last first.
    package func removals(from club: Int64, after cursor: String?, limit: Int) throws(LecternError) -> Page<Removal> {
        try page(
            .removals, Connection.Shape.of(.removal, 10), after: cursor, limit: limit, select: RemovalTable.columns,
            from: "\(RemovalTable.joins) WHERE removals.club = ?1",
            by: "removals.key", key: "removals.key", isDescending: true, { $0.bind(1, club) }, RemovalTable.row)
    }

    /// What the author of a club's note is called there, or was when they went from it; nil where that is not known.
    package func name(ofAuthor note: Note) throws(LecternError) -> String? {
        try query { db throws(SQLiteError) in
            try MemberTable.name(of: note.authorKey, inClub: note.clubKey ?? 0, in: db)
        }
    }

    /// A note that the reader sees; nil for any other, whether it is there or not.
    package func note(_ id: ResourceID, seenBy reader: Int64) throws(LecternError) -> Note? {
        try query { db throws(SQLiteError) in
            try NoteTable.find(id, seenBy: reader, in: db).map { note throws(SQLiteError) in
                try NoteTable.shown(note, to: reader, in: db)
            }
        }
    }

    /// The notes that a reader sees: of a club, or, without one, those that they wrote. Newest first.
    package func notes(
        of club: Int64?, seenBy reader: Int64, _ filter: NoteFilter, after cursor: String?, limit: Int
    ) throws(LecternError) -> Page<Note> {
        let cursor = try PageCursor(cursor, of: .notes)
        return try query { db throws(SQLiteError) in
            let flags = [club != nil, filter.book != nil, filter.thread != nil, filter.search != nil]
            let shape = flags.reduce(0) { $0 << 1 | ($1 ? 1 : 0) }
            let statement = try db.statement(shape: Connection.Shape.notes + shape) {
                """
                SELECT \(NoteTable.columns) FROM \(NoteTable.joins)
                WHERE notes.key < ?3 AND \(NoteGate.sees)
                    AND \(club == nil ? "notes.author = ?1" : "notes.club = ?2")
                    \(filter.book == nil ? "" : "AND notes.book = (SELECT key FROM books WHERE id = ?5)")
                    \(filter.thread == nil ? "" : "AND (notes.thread = ?6 OR notes.id = ?6)")
                    \(filter.search == nil ? "" : "AND notes.key IN (SELECT rowid FROM notes_words WHERE notes_words MATCH ?7)")
                ORDER BY notes.key DESC LIMIT ?4
                """
            }
            statement.bind(1, reader).bind(3, cursor?.key ?? .max).bind(4, Int64(limit + 1))
            if let club { statement.bind(2, club) }
            if let book = filter.book { statement.bind(5, book) }
            if let thread = filter.thread { statement.bind(6, thread) }
            if let search = filter.search { statement.bind(7, NoteTable.match(search, club: club, author: reader)) }
            return try Page(of: statement, limit: limit) { row throws(SQLiteError) in
                let note = NoteTable.row(row)
                return club == nil ? try NoteTable.shown(note, to: reader, in: db) : note
            } cursor: {
                PageCursor(.notes, key: $0.integer(0))
            }
        }
    }

    /// How many notes of a club the reader does not see yet.
    package func notesAhead(of reader: Int64, in club: Int64, book: ResourceID?) throws(LecternError) -> Int64 {
        try query { db throws(SQLiteError) in
            try db.statement(shape: Connection.Shape.waiting + (book == nil ? 0 : 1)) {
                """
                SELECT count(*) FROM notes WHERE club = ?2 AND body IS NOT NULL AND NOT \(NoteGate.passes())
                    \(book == nil ? "" : "AND book = (SELECT key FROM books WHERE id = ?3)")
                """
            }.bind(1, reader).bind(2, club).bindBook(book).first { $0.integer(0) } ?? 0
        }
    }
}

extension Statement {
    fileprivate func bindBook(_ book: ResourceID?) -> Statement { book == nil ? self : bind(3, book) }
}
