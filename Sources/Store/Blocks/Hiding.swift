import Model

/// Whose words a member is not shown in a club: those of whom they block, unless they moderate it. It is kept step by step, as
/// marks are (see `Marks`), so that what was told when is known of each change.
enum Hiding {
    private static let forever = Int64.max

    /// Of somebody's words in a club, in SQL: whether a reader is shown them, now or as of a change. The first question is the
    /// same for all rows, and asked once: for who blocks nobody nothing else is.
    static func shows(
        _ author: String, in club: String, to reader: String = "?1", asOf seq: String? = nil,
        unless exception: String? = nil
    ) -> String {
        """
        (NOT EXISTS (SELECT 1 FROM hidings WHERE hidings.reader = \(reader)) OR NOT EXISTS (
            SELECT 1 FROM hidings WHERE hidings.reader = \(reader) AND hidings.club = \(club)
                AND hidings.author = \(author) AND \(holds(asOf: seq))\(exception.map { " AND NOT \($0)" } ?? "")))
        """
    }

    /// The same of a note. One that names nobody is shown to everybody, also as of when it named somebody: or else a block would
    /// tell whose it is. That it does is asked of what is hidden only: it is in none of the indexes by which notes are found.
    static func showsNote(to reader: String = "?1", asOf seq: String? = nil) -> String {
        let isNobodys =
            "EXISTS (SELECT 1 FROM notes AS nobodys WHERE nobodys.key = notes.key AND nobodys.is_nameless = 1)"
        return shows("notes.author", in: "notes.club", to: reader, asOf: seq, unless: isNobodys)
    }

    /// The same of the note `?2` as of the change `?3`, for each reader in a column: from whom its author is hidden is asked once.
    /// Not of one that names nobody, if `?4` says that the change does not either.
    static func showsNote(each reader: String) -> String {
        let readers = """
            SELECT hidings.reader FROM notes AS hidden
            JOIN hidings ON hidings.author = hidden.author AND hidings.club = hidden.club
            WHERE hidden.id = ?2 AND \(holds(asOf: "?3")) AND NOT (?4 AND hidden.is_nameless = 1)
            """
        return "(NOT EXISTS (\(readers)) OR \(reader) NOT IN (\(readers)))"
    }

    private static func holds(asOf seq: String?) -> String {
        seq.map { "hidings.since <= \($0) AND hidings.until > \($0)" } ?? "hidings.until = \(forever)"
    }

    /// Whose words a reader is not shown in a club now.
    static func authors(hiddenFrom reader: Int64, in club: Int64, _ db: Connection) throws(SQLiteError) -> [Int64] {
        try db.statement("SELECT author FROM hidings WHERE reader = ?1 AND club = ?2 AND until = ?3")
            .bind(1, reader).bind(2, club).bind(3, forever).all { $0.integer(0) }
    }

    /// Begins or ends with the change that comes next: kept, but no change that anybody watches.
    struct Step: Proposal {
        let isHidden: Bool
        let author: Int64
        let reader: Int64
        let club: Int64

        func apply(to application: inout Application, _ moment: Moment) throws(SQLiteError) -> Outcome? {
            let (db, seq) = (application.connection, application.log.nextSeq)
            if isHidden {
                try db.statement(
                    """
                    INSERT INTO hidings (reader, club, author, since, until) VALUES (?1, ?2, ?3, ?4, ?5)
                    ON CONFLICT DO UPDATE SET until = excluded.until
                    """
                ).bind(1, reader).bind(2, club).bind(3, author).bind(4, seq).bind(5, forever).run()
            } else {
                try db.statement(
                    "UPDATE hidings SET until = ?4 WHERE reader = ?1 AND club = ?2 AND author = ?3 AND until = ?5"
                ).bind(1, reader).bind(2, club).bind(3, author).bind(4, seq).bind(5, forever).run()
                // What ended before the log begins nobody asks for any more.
                try db.statement("DELETE FROM hidings WHERE reader = ?1 AND until <= (SELECT min(seq) FROM changes)")
                    .bind(1, reader).run()
            }
            application.noteSilentWrite()
            return nil
        }
    }

    /// Each that a reader blocks is hidden in each club that they are in and do not moderate, and nobody else is.
    static let rules: [String] = {
        let wanted = """
            SELECT blocks.owner AS reader, members.club AS club, blocks.blocked AS author FROM blocks
            JOIN members ON members.reader = blocks.owner WHERE members.role = 'member'
            """
        let held = "SELECT reader, club, author FROM hidings WHERE until = \(forever)"
        func difference(_ left: String, _ right: String, _ verb: String) -> String {
            """
            SELECT 'hidings: the author ' || author || ' \(verb) the reader ' || reader || ' in the club ' || club
            FROM (\(left) EXCEPT \(right))
            """
        }
        return [difference(wanted, held, "is not hidden from"), difference(held, wanted, "is hidden from")]
    }()
}

extension WriteState {
    /// What follows where an author's words are hidden from a member of a club from now on, or no longer: the step, and then
    /// what goes out of their sight or comes into it.
    func hiding(
        _ isHidden: Bool, of author: Int64, from reader: Int64, in club: Int64
    ) throws(LecternError) -> [any Proposal] {
        let notes = try read(NoteTable.reached(of: author, in: club, by: reader, in: db))
        return [Hiding.Step(isHidden: isHidden, author: author, reader: reader, club: club)]
            + Unlock.slices(of: notes).map {
                Unlock(notes: $0, club: club, reader: reader, leaving: isHidden ? .hidden : nil)
            }
    }

    /// The same in all clubs that the reader does not moderate.
    func hiding(_ isHidden: Bool, of author: Int64, from reader: Int64) throws(LecternError) -> [any Proposal] {
        var proposals: [any Proposal] = []
        for member in try read(MemberTable.all(ofReader: reader, in: db)) where member.role == .member {
            proposals += try hiding(isHidden, of: author, from: reader, in: member.clubKey)
        }
        return proposals
    }

    /// The same of all whom a member blocks, when they come to moderate the club, or do no longer.
    func hiding(
        from member: Member, before role: Member.Role, in club: Club
    ) throws(LecternError) -> [any Proposal] {
        guard (member.role == .member) != (role == .member) else { return [] }
        var proposals: [any Proposal] = []
        for author in try read(BlockTable.blocked(by: member.readerKey, in: db)) {
            proposals += try hiding(
                member.role == .member, of: author, from: member.readerKey, in: club.key)
        }
        return proposals
    }
}
