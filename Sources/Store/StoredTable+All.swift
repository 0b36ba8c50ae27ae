import Model

extension StoredTable {
    private static let ofClubBook = "club_book IN (SELECT key FROM club_books WHERE club = ?1)"

    // What becomes of a reader's rows when they leave.
    private static let nobodys = ReaderEnd.nothing(because: "no row is a reader's")
    private static let told = ReaderEnd.nothing(because: "it ends in the sight of others: see Leaving, and Succession")
    private static let withMember = ReaderEnd.nothing(because: "it ends with the membership")

    /// All tables there are, each after those that it refers to.
    static let all: [StoredTable] = [
        StoredTable(name: "meta", ofReader: nobodys, rules: Rules.meta),
        .of(
            ReaderTable.self, toldTo: .itsReader, ofReader: .nothing(because: "a row without a name stays"),
            isThere: ReaderTable.isThere, rules: Rules.readers),
        StoredTable(
            name: "departures", ofReader: .nothing(because: "the last step takes it away"), rules: Rules.departures),
        .of(
            TokenTable.self, toldTo: .itsReader, ofReader: .nothing(because: "they end with the reader, as changes"),
            derived: ["lastUsedOn"]),
        StoredTable(
            name: "claims", ofReader: .nothing(because: "an id stays used, and a digest has no words"),
            rules: Rules.claims),
        .of(
            BookTable.self, toldTo: .everyone, ofReader: .nothing(because: "the catalogue is everybody's"),
            json: ["authors"], rules: Rules.books),
        StoredTable(
            name: "books_words", ofReader: nobodys,
            rules: Rules.words(of: "books_words", "books", at: BookIndex.place, where: "1")),
        StoredTable(name: "words", ofReader: nobodys),
        .of(
            ReadingTable.self, toldTo: .itsReader, ofReader: .some(ReadingTable.end(ofReader:limit:in:)),
            ofBook: BookUse(byAnybody: "1", byOthers: "reader <> ?2"),
            rules: Rules.readings),
        .of(
            EntryTable.self, toldTo: .itsReader, ofReader: .nothing(because: "they go after their readings"),
            rules: Rules.entries),
        StoredTable(name: "doomed_readings", ofReader: nobodys, rules: Rules.doomedReadings),
        StoredTable(
            name: "changes", ofReader: .nothing(because: "each loses its words: see LogRedaction"),
            json: ["value", "before"], rules: Rules.changes),
        StoredTable(
            name: "idempotency_keys", ofReader: .rows("reader = ?1", by: "reader, key"), json: ["value"],
            rules: Rules.idempotencyKeys),
        .of(ClubTable.self, toldTo: .itsClub, ofReader: told, rules: Rules.clubs),
        .of(MemberTable.self, toldTo: .itsClub, ofReader: told, ofClub: "club = ?1", rules: Rules.members),
        .of(InvitationTable.self, toldTo: .itsModeratorsAndReader, ofReader: told, ofClub: "club = ?1"),
        .of(
            NoteTable.self, toldTo: .itsClubOrReader, ofReader: .some(NoteTable.end(ofReader:limit:in:)),
            isThere: "notes.body IS NOT NULL", json: ["reactions"],
            ofClub: "club = ?1",
            ofBook: .ofNote,
            rules: Rules.notes),
        StoredTable(
            name: "notes_words", ofReader: .nothing(because: "they go with their notes"),
            ofClub: "rowid IN (SELECT key FROM notes WHERE club = ?1 AND body IS NOT NULL)",
            rules: Rules.words(of: "notes_words", "notes", at: "notes.key", where: "body IS NOT NULL")),
        StoredTable(
            name: "reach", ofReader: .rows("reader = ?1", by: "reader, place, since"), ofClub: "place = -?1",
            rules: Rules.reach),
        StoredTable(
            name: "reactions", ofReader: .nothing(because: "they stay counted, as nobody's"),
            ofClub: "note IN (SELECT key FROM notes WHERE club = ?1)", rules: Rules.reactions),
        .of(
            ClubBookTable.self, toldTo: .itsClub, ofReader: nobodys, ofClub: "club = ?1", ofBook: .ofClub("club_books")),
        .of(MilestoneTable.self, toldTo: .itsClub, ofReader: nobodys, ofClub: ofClubBook),
        .of(
            StandingTable.self, toldTo: .itsClub, ofReader: withMember, derived: ["isCurrent"], ofClub: ofClubBook,
            rules: Rules.standings),
        .of(
            MeetingTable.self, toldTo: .itsClub, ofReader: nobodys, ofClub: "club = ?1", ofBook: .ofClub("meetings")),
        .of(
            AttendanceTable.self, toldTo: .itsClub, ofReader: withMember,
            ofClub: "meeting IN (SELECT key FROM meetings WHERE club = ?1)"),
        .of(
            CalendarTable.self, toldTo: .itsReader, ofReader: withMember,
            ofClub: "member IN (SELECT key FROM members WHERE club = ?1)"),
        .of(ListingTable.self, toldTo: .everyone, ofReader: nobodys, rules: Rules.listings),
        .of(
            JoinRequestTable.self, toldTo: .itsModeratorsAndReader, ofReader: told, ofClub: "club = ?1",
            rules: Rules.joinRequests),
        .of(RemovalTable.self, toldTo: .itsModerators, ofReader: told, ofClub: "club = ?1"),
        .of(ShelfTable.self, toldTo: .itsReader, ofReader: .rows("reader = ?1")),
        .of(
            ShelfBookTable.self, toldTo: .itsReader,
            ofReader: .rows("shelf IN (SELECT key FROM shelves WHERE reader = ?1)"),
            ofBook: BookUse(byAnybody: "1", byOthers: "shelf IN (SELECT key FROM shelves WHERE reader <> ?2)")),
        .of(SettingsTable.self, toldTo: .itsReader, ofReader: .rows("key = ?1"), rules: Rules.settings),
        .of(SceneTable.self, toldTo: .itsReader, ofReader: .rows("reader = ?1"), json: ["value"]),
        StoredTable(name: "streams", ofReader: .nothing(because: "they end with the reader"), json: ["watch"]),
        StoredTable(name: "accounts", ofReader: .rows("reader = ?1", atOnce: true)),
        StoredTable(name: "identities", ofReader: .rows("reader = ?1", by: "issuer, subject", atOnce: true)),
        .of(
            LinkTable.self, toldTo: .itsReader, ofReader: .nothing(because: "they end with the reader, as changes"),
            ofClub: "club = ?1"),
        StoredTable(
            name: "former_members", ofReader: .rows("reader = ?1", by: "club, reader"), ofClub: "club = ?1",
            rules: Rules.formerMembers),
        StoredTable(name: "clock_marks", ofReader: nobodys, rules: Rules.clockMarks),
    ]
}
