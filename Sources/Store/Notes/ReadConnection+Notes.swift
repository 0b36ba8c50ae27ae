package import Model

/// Notes as their readers see them.
extension ReadConnection {
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

    /// What the text of a list of notes depends on.
    private struct Shape: Hashable, Sendable {
        let isOfClub: Bool
        let hasBook: Bool
        let hasThread: Bool
        let hasSearch: Bool
    }

    private static let notes = Variants<Shape> { shape in
        """
        SELECT \(NoteTable.rows.columns) FROM \(NoteTable.rows.joins)
        WHERE notes.key < ?3 AND \(NoteGate.sees)
            AND \(shape.isOfClub ? "notes.club = ?2" : "notes.author = ?1")
            \(shape.hasBook ? "AND notes.book = (SELECT key FROM books WHERE id = ?5)" : "")
            \(shape.hasThread ? "AND (notes.thread = ?6 OR notes.id = ?6)" : "")
            \(shape.hasSearch ? "AND notes.key IN (SELECT rowid FROM notes_words WHERE notes_words MATCH ?7)" : "")
        ORDER BY notes.key DESC LIMIT ?4
        """
    }

    /// The notes that a reader sees: of a club, or, without one, those that they wrote. Newest first.
    package func notes(
        of club: Int64?, seenBy reader: Int64, _ filter: NoteFilter, after cursor: String?, limit: Int
    ) throws(LecternError) -> Page<Note> {
        if filter.search != nil { try demandIndex() }
        let list = PageCursor.List(kind: .note)
        let cursor = try PageCursor(cursor, of: list)
        let shape = Shape(
            isOfClub: club != nil, hasBook: filter.book != nil, hasThread: filter.thread != nil,
            hasSearch: filter.search != nil)
        return try query { db throws(SQLiteError) in
            let statement = try db.statement(Self.notes, shape)
            statement.bind(1, reader).bind(3, cursor?.key ?? .max).bind(4, Int64(limit + 1))
            if let club { statement.bind(2, club) }
            if let book = filter.book { statement.bind(5, book) }
            if let thread = filter.thread { statement.bind(6, thread) }
            if let search = filter.search { statement.bind(7, NoteTable.match(search, club: club, author: reader)) }
            return try Page(of: statement, limit: limit) { row throws(SQLiteError) in
                let note = NoteTable.row(row)
                return club == nil ? try NoteTable.shown(note, to: reader, in: db) : note
            } cursor: {
                PageCursor(list, key: $0.integer(0))
            }
        }
    }

    private static let ahead = Variants<Bool> { ofBook in
        """
        SELECT count(*) FROM notes WHERE club = ?2 AND body IS NOT NULL AND NOT \(NoteGate.passes())
            \(ofBook ? "AND book = (SELECT key FROM books WHERE id = ?3)" : "")
        """
    }

    /// How many notes of a club the reader does not see yet.
    package func notesAhead(of reader: Int64, in club: Int64, book: ResourceID?) throws(LecternError) -> Int64 {
        try query { db throws(SQLiteError) in
            let statement = try db.statement(Self.ahead, book != nil).bind(1, reader).bind(2, club)
            if let book { statement.bind(3, book) }
            return try statement.first { $0.integer(0) } ?? 0
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
}
