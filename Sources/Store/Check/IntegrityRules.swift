import Model

/// The rules for rows beyond the schema's own constraints: queries that return a text for each invalid row.
enum IntegrityRules {
    static let meta = [
        """
        SELECT 'meta: there is no ' || column1 FROM (VALUES ('epoch'), ('inode'), ('born'))
        WHERE column1 NOT IN (SELECT name FROM meta)
        """
    ]

    /// Returns the rule that keys of readers or clubs, which the log's scopes contain, are never reused. SQLite ensures
    /// this by storing the greatest key.
    private static func keys(of table: String, sent: String) -> String {
        """
        SELECT 'sqlite_sequence: keys of \(table) are given again after ' || given.seq FROM (
            SELECT ifnull((SELECT seq FROM sqlite_sequence WHERE name = '\(table)'), 0) AS seq) AS given
        WHERE given.seq < max(ifnull((SELECT max(key) FROM \(table)), 0), ifnull((SELECT \(sent) FROM changes), 0))
        """
    }

    static let readers = [keys(of: "readers", sent: "max(scope)")]

    /// Returns the rule that a column contains JSON, for a table whose rows the check does not read as resources.
    static func json(_ column: String, in table: String) -> String {
        """
        SELECT '\(table): ' || count(*) || ' rows have no JSON in \(column)' FROM \(table)
        WHERE typeof(\(column)) = 'text' AND NOT json_valid(\(column)) HAVING count(*) > 0
        """
    }

    static let departures = [
        """
        SELECT 'departures: ' || hex(id) || ' has not left' FROM departures JOIN readers ON readers.key = departures.reader
        WHERE has_left = 0
        """
    ]
    static let clubs = [keys(of: "clubs", sent: "-min(scope)")]

    static let books = [
        """
        SELECT 'books: ' || hex(id) || ' has card version ' || card_version || ' and version ' || version FROM books
        WHERE card_version NOT BETWEEN 1 AND version
        """,
        """
        SELECT 'books: ' || hex(id) || ' has ' || reader_count || ' readers, not '
            || (SELECT count(DISTINCT reader) FROM readings WHERE book = books.key) FROM books
        WHERE reader_count <> (SELECT count(DISTINCT reader) FROM readings WHERE book = books.key)
        """,
    ]

    /// Returns the rules for a search index: its own check, and a row for each row of its table, unless it is
    /// outdated. Another check compares the words with the text.
    static func searchIndexRules(of index: String, _ table: String, at place: String, where condition: String)
        -> [String]
    {
        [
            "INSERT INTO \(index) (\(index)) VALUES ('integrity-check')",
            """
            SELECT '\(table): ' || hex(id) || ' has no search words' FROM \(table)
            WHERE \(condition) AND NOT EXISTS (SELECT 1 FROM \(index) WHERE \(index).rowid = \(place))
                AND EXISTS (SELECT 1 FROM meta WHERE name = 'fold')
            """,
            """
            SELECT '\(index): row ' || rowid || ' is of nothing in \(table)' FROM \(index)
            WHERE NOT EXISTS (SELECT 1 FROM \(table)
                WHERE \(table).key = \(index).rowid & \(BookWordIndex.keyMask) AND \(place) = \(index).rowid AND \(condition))
            """,
        ]
    }

    static let readings = [
        // The line of an imported reading's latest entry may have been refused, and the id be that of another entry.
        """
        SELECT 'readings: ' || hex(id) || ' shows no latest entry, but has entries' FROM readings
        WHERE latest_entry IS NULL AND EXISTS (SELECT 1 FROM entries WHERE reading = readings.key)
        """
    ]

    static let entries = [
        """
        SELECT 'entries: ' || hex(id) || ' is of no reading' FROM entries
        WHERE NOT EXISTS (SELECT 1 FROM readings WHERE readings.key = entries.reading)
            AND NOT EXISTS (SELECT 1 FROM deleted_readings WHERE deleted_readings.reading = entries.reading)
        """,
        """
        SELECT 'entries: ' || hex(entries.id) || ' has a note that is not there, or somebody else''s' FROM entries
        JOIN readings ON readings.key = entries.reading JOIN readers ON readers.key = readings.reader
        WHERE entries.note_id IS NOT NULL AND readers.has_left = 0 AND NOT EXISTS (
            SELECT 1 FROM notes WHERE notes.id = entries.note_id AND notes.author = readings.reader
                AND notes.body IS NOT NULL)
        """,
        """
        SELECT 'entries: ' || count(*) || ' show the note ' || hex(note_id) FROM entries WHERE note_id IS NOT NULL
        GROUP BY note_id HAVING count(*) > 1
        """,
    ]

    static let deletedReadings = [
        """
        SELECT 'deleted_readings: ' || hex(id) || ' is still there' FROM deleted_readings
        JOIN readings ON readings.key = deleted_readings.reading
        """,
        """
        SELECT 'deleted_readings: ' || reading || ' has no entries' FROM deleted_readings
        WHERE NOT EXISTS (SELECT 1 FROM entries WHERE entries.reading = deleted_readings.reading)
        """,
    ]

    /// The rules that the log's numbers have no gap, and that the changes of one transaction are adjacent.
    static let changes = [
        """
        SELECT 'changes: there are ' || count(*) || ', numbered ' || min(seq) || ' to ' || max(seq) FROM changes
        HAVING count(*) <> max(seq) - min(seq) + 1
        """,
        """
        SELECT 'changes: ' || seq || ' is of the command of ' || command FROM changes
        WHERE command > seq OR command < seq AND EXISTS (
            SELECT 1 FROM changes AS other WHERE other.seq = changes.seq - 1 AND other.command <> changes.command)
        """,
    ]

    /// The rules that a stored response is that of its change. A stream's version is no number of the log.
    static let idempotencyKeys = [
        """
        SELECT 'idempotency_keys: ' || quote(idempotency_keys.key) || ' stands for another change' FROM idempotency_keys
        JOIN changes ON changes.seq = idempotency_keys.version
        WHERE changes.kind <> \(LogRedaction.kind) AND idempotency_keys.kind <> \(ResourceKind.stream.rawValue)
            AND (changes.kind <> idempotency_keys.kind OR changes.resource <> idempotency_keys.resource)
        """,
        """
        SELECT 'idempotency_keys: ' || quote(key) || ' stands for a change that has not been' FROM idempotency_keys
        WHERE version > (SELECT max(seq) FROM changes) AND kind <> \(ResourceKind.stream.rawValue)
        """,
    ]

    static let members = [
        """
        SELECT 'members: ' || hex(id) || ' is told too much or too little' FROM members
        WHERE (role = 'member') <> (moderates IS NULL) OR moderates NOT BETWEEN key AND version
            OR role_since NOT BETWEEN key AND version OR moderates IS NOT NULL AND moderates IS NOT role_since
        """,
        """
        SELECT 'clubs: ' || hex(id) || ' has no owner' FROM clubs
        WHERE NOT EXISTS (SELECT 1 FROM members WHERE club = clubs.key AND role = 'owner')
        """,
    ]

    static let notes = [
        """
        SELECT 'notes: ' || hex(id) || ' counts other replies than there are' FROM notes
        WHERE reply_count <> CASE WHEN body IS NULL THEN 0 ELSE (
            SELECT count(*) FROM notes AS reply INDEXED BY notes_thread WHERE reply.thread = notes.id
                AND reply.body IS NOT NULL
                AND reply.club IS notes.club AND reply.audience IS notes.audience AND reply.scale IS notes.scale
                AND reply.at IS notes.at AND reply.share = notes.share) END
        """,
        scales(of: "notes", "scale", in: "notes.book"),
    ]

    static let reactions = [
        """
        SELECT 'reactions: note ' || hex(id) || ' counts others than there are' FROM notes
        WHERE json_valid(reactions) AND (
            EXISTS (SELECT 1 FROM json_each(notes.reactions) AS counted WHERE counted.value <> (
                SELECT count(*) FROM reactions WHERE note = notes.key AND reaction = counted.key))
            OR (SELECT total(value) FROM json_each(notes.reactions)) <> (
                SELECT count(*) FROM reactions WHERE note = notes.key))
        """
    ]

    static let listings = [
        """
        SELECT 'listings: ' || hex(listings.id) || ' is of no listed club' FROM listings
        WHERE NOT EXISTS (SELECT 1 FROM clubs WHERE clubs.key = listings.key AND clubs.id = listings.id
            AND clubs.visibility = 'listed')
        """
    ]

    static let settings = [
        """
        SELECT 'settings: reader ' || hex(id) || ' has none' FROM readers
        WHERE has_left = 0 AND NOT EXISTS (SELECT 1 FROM settings WHERE settings.key = readers.key AND settings.id = readers.id)
        """
    ]

    static let formerMembers = [
        """
        SELECT 'former_members: reader ' || former_members.reader || ' is in the club ' || former_members.club
        FROM former_members JOIN members
        ON members.club = former_members.club AND members.reader = former_members.reader
        """
    ]

    static let clockMarks = [
        """
        SELECT 'clock_marks: ' || time || ' goes back to the change ' || seq FROM (
            SELECT time, seq, lag(seq, 1, 0) OVER (ORDER BY time) AS earlier FROM clock_marks)
        WHERE seq < earlier OR seq > (SELECT max(seq) FROM changes)
        """
    ]

    /// The rule that the guardian and the managed account exist and have the right roles. A leaving reader's row may
    /// still exist.
    static let guardianships = [
        """
        SELECT 'guardianships: reader ' || hex(managed.id) || ' is managed by a managed account, of nobody, or no mere reader'
        FROM guardianships JOIN readers AS managed ON managed.key = guardianships.reader
        JOIN readers AS guards ON guards.key = guardianships.guardian
        WHERE managed.has_left = 0 AND (guards.has_left = 1 OR managed.role <> 'reader' OR managed.is_librarian = 1
            OR EXISTS (SELECT 1 FROM guardianships AS other WHERE other.reader = guardianships.guardian))
        """
    ]
}
