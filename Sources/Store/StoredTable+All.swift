import Model

extension StoredTable {
    private static let ofClubBook = "club_book IN (SELECT key FROM club_books WHERE club = ?1)"

    // What becomes of a reader's rows when they leave.
    private static let nobodys = ReaderEnd.nothing(because: "no row is a reader's")
    private static let told = ReaderEnd.nothing(because: "it ends in the sight of others: see Leaving, and Succession")
    private static let withMember = ReaderEnd.nothing(because: "it ends with the membership")

    /// All tables there are, each after those that it refers to.
    static let all: [StoredTable] = [
        StoredTable(name: "meta", along: .nothing(because: "It is of one file."), ofReader: nobodys, rules: Rules.meta),
        .of(
            ReaderTable.self, along: .rows(.own("readers.key = ?1"), without: ["guardian"], secret: ["role"]),
            toldTo: .itsReader, ofReader: .nothing(because: "a row without a name stays"),
            isThere: ReaderTable.isThere, derived: ["guardian", "isManaged"], rules: Rules.readers),
        StoredTable(
            name: "departures", along: .lines(.departed),
            ofReader: .nothing(because: "the last step takes it away"), rules: Rules.departures),
        StoredTable(
            name: "guardianships", along: .lines(.guardianships),
            ofReader: .rows("reader = ?1 OR guardian = ?1", by: "reader", atOnce: true), rules: Rules.guardianships),
        .of(
            TokenTable.self, along: .nothing(because: "They are secrets."), toldTo: .itsReader,
            ofReader: .nothing(because: "they end with the reader, as changes"),
            derived: ["lastUsedOn"]),
        StoredTable(
            name: "claims", along: .lines(.claims),
            ofReader: .nothing(because: "an id stays used, and a digest has no words"),
            rules: Rules.claims),
        .of(
            BookTable.self,
            along: .rows(.own(booksOfAccount), also: [.init(member: "addedBy", column: "added_by", isReader: true)]),
            toldTo: .everyone, ofReader: .nothing(because: "the catalogue is everybody's"),
            json: ["authors"], rules: Rules.books),
        StoredTable(
            name: "books_words", along: .follows, ofReader: nobodys,
            rules: Rules.words(of: "books_words", "books", at: BookIndex.place, where: "1")),
        StoredTable(name: "words", along: .follows, ofReader: nobodys),
        .of(
            EditionTable.self,
            along: .rows(
                .own("editions.book IN (SELECT books.key FROM books WHERE \(booksOfAccount))"),
                also: [.init(member: "addedBy", column: "added_by", isReader: true)]),
            toldTo: .everyone, ofReader: .nothing(because: "the catalogue is everybody's"),
            ofBook: BookUse(byAnybody: "0", byOthers: "added_by IS NOT ?2"), rules: Rules.editions),
        .of(
            ChaptersTable.self,
            along: .rows(.own("chapters.key IN (SELECT books.key FROM books WHERE \(booksOfAccount))")),
            toldTo: .everyone, ofReader: nobodys, json: ["chapters"], rules: Rules.chapters),
        .of(
            AnchorsTable.self,
            along: .rows(
                .own(
                    """
                    anchors.key IN (SELECT editions.key FROM editions WHERE editions.book IN (
                        SELECT books.key FROM books WHERE \(booksOfAccount)))
                    """)),
            toldTo: .everyone, ofReader: nobodys, json: ["begins"], rules: Rules.anchors),
        StoredTable(
            name: "measures", along: .lines(.measures), ofReader: nobodys, json: ["believed"], rules: Rules.measures),
        .of(
            ReadingTable.self,
            along: .rows(.own("readings.reader = ?1"), unique: [Uniqueness("book", "reader", "number")]),
            toldTo: .itsReader,
            ofReader: .some(ReadingTable.end(ofReader:limit:in:)),
            json: ["at"],
            ofBook: BookUse(byAnybody: "1", byOthers: "reader <> ?2"),
            rules: Rules.readings),
        .of(
            EntryTable.self,
            along: .rows(
                .own("readings.reader = ?1"), by: "readings.key, entries.happened_at, entries.key",
                also: Portion.Also.reached, without: ["noteId"]),
            toldTo: .itsReader, ofReader: .nothing(because: "they go after their readings"), derivedOfLeaving: ["note"],
            json: ["at"], rules: Rules.entries + Rules.frames),
        .of(
            KnowledgeTable.self,
            along: .rows(
                .own("knowledge.reader = ?1"),
                also: Portion.Also.reached + [.init(member: "ceiling", .number)],
                unique: [Uniqueness("book", "reader")],
                privateIf: "1"),
            toldTo: .itsReader, ofReader: .rows("reader = ?1"), json: ["through"],
            ofBook: BookUse(byAnybody: "1", byOthers: "reader <> ?2"), rules: Rules.knowledge),
        StoredTable(
            name: "doomed_readings", along: .nothing(because: "They are gone."), ofReader: nobodys,
            rules: Rules.doomedReadings),
        StoredTable(
            name: "changes", along: .nothing(because: "Each house has its own log."),
            ofReader: .nothing(because: "each loses its words: see LogRedaction"),
            json: ["value", "before"], rules: Rules.changes),
        StoredTable(
            name: "idempotency_keys", along: .nothing(because: "They hold for a day."),
            ofReader: .rows("reader = ?1", by: "reader, key"), json: ["value"],
            rules: Rules.idempotencyKeys),
        .of(ClubTable.self, along: .rows(), toldTo: .itsClub, ofReader: told, rules: Rules.clubs),
        .of(
            MemberTable.self,
            along: .rows(.facts("members.reader = ?1"), unique: [Uniqueness("reader", "club")]),
            toldTo: .itsClub, ofReader: told,
            ofClub: "club = ?1", rules: Rules.members),
        .of(
            InvitationTable.self, along: .nothing(because: "Their codes are secrets."), toldTo: .itsModeratorsAndReader,
            ofReader: told, ofClub: "club = ?1"),
        .of(
            NoteTable.self,
            along: .rows(
                .own("notes.author = ?1"),
                also: Portion.Also.opening + [
                    .init(member: "isReticent", column: "is_reticent", .flag), .init(member: "answers", .answered),
                    .init(member: "writtenBy", column: "author", .nameless),
                    .init(member: "noteKind", column: "kind", .noteKind), .init(member: "entry", .entryOfNote),
                ],
                without: ["reactions", "kind"], secret: ["authorName"],
                privateIf: "notes.club IS NULL OR notes.audience IS NOT NULL"), toldTo: .itsClubOrReader,
            ofReader: .some(NoteTable.end(ofReader:limit:in:)),
            isThere: "notes.body IS NOT NULL", json: ["reactions", "at"],
            ofClub: "club = ?1",
            ofBook: .ofNote,
            rules: Rules.notes),
        StoredTable(
            name: "notes_words", along: .follows, ofReader: .nothing(because: "they go with their notes"),
            ofClub: "rowid IN (SELECT key FROM notes WHERE club = ?1 AND body IS NOT NULL)",
            rules: Rules.words(of: "notes_words", "notes", at: "notes.key", where: "body IS NOT NULL")),
        StoredTable(
            name: "note_chores", along: .nothing(because: "What is under way here is done here."),
            ofReader: .rows("reader = ?1", by: "reader, club, chore"), ofClub: "club = ?1"),
        StoredTable(
            name: "reach", along: .lines(.reach), ofReader: .rows("reader = ?1", by: "reader, place, since"),
            ofClub: "place = -?1",
            rules: Rules.reach),
        StoredTable(
            name: "reactions", along: .lines(.reactions), ofReader: .nothing(because: "they stay counted, as nobody's"),
            ofClub: "note IN (SELECT key FROM notes WHERE club = ?1)", rules: Rules.reactions),
        .of(
            ClubBookTable.self,
            along: .rows(also: [.init(member: "isFirst", column: "is_first", .number)]),
            toldTo: .itsClub, ofReader: .nothing(because: "the club keeps what was proposed, and an id has no words"),
            ofClub: "club = ?1", ofBook: .ofClub("club_books"), rules: Rules.runs),
        .of(
            MilestoneTable.self, along: .rows(), toldTo: .itsClub, ofReader: nobodys, json: ["at"], ofClub: ofClubBook,
            rules: Rules.ofRuns("milestones")),
        .of(
            StandingTable.self,
            along: .rows(
                .facts("members.reader = ?1"), also: [.init(member: "reading", column: "reading", isReader: false)],
                without: ["isCurrent"], unique: [Uniqueness("club_book", "member", "audience")]),
            toldTo: .itsClubOrModerators,
            ofReader: withMember, derived: ["isCurrent"],
            ofClub: ofClubBook,
            rules: Rules.standings + Rules.ofRuns("standings")),
        .of(
            MeetingTable.self, along: .rows(), toldTo: .itsClub, ofReader: nobodys, json: ["at"], ofClub: "club = ?1",
            ofBook: .ofClub("meetings")),
        .of(
            AttendanceTable.self,
            along: .rows(.facts("members.reader = ?1"), unique: [Uniqueness("meeting", "member")]),
            toldTo: .itsClub, ofReader: withMember,
            ofClub: "meeting IN (SELECT key FROM meetings WHERE club = ?1)"),
        .of(
            CalendarTable.self, along: .nothing(because: "Their addresses are secrets."), toldTo: .itsReader,
            ofReader: withMember,
            ofClub: "member IN (SELECT key FROM members WHERE club = ?1)"),
        .of(ListingTable.self, along: .rows(), toldTo: .everyone, ofReader: nobodys, rules: Rules.listings),
        .of(
            JoinRequestTable.self,
            along: .rows(
                .facts("join_requests.reader = ?1"), unique: [Uniqueness("reader", "club", inState: "waiting")]),
            toldTo: .itsModeratorsAndReader, ofReader: told, ofClub: "club = ?1",
            rules: Rules.joinRequests),
        .of(
            RemovalTable.self, along: .rows(unique: [Uniqueness("club", "reader")]), toldTo: .itsModerators,
            ofReader: told, ofClub: "club = ?1"),
        .of(
            ShelfTable.self,
            along: .rows(.own("shelves.reader = ?1"), saidIf: "shelves.version > 0 AND NOT \(ShelfTable.isAsMade)"),
            toldTo: .itsReader, ofReader: .rows("reader = ?1")),
        .of(
            ShelfBookTable.self,
            along: .rows(.own("shelves.reader = ?1"), unique: [Uniqueness("shelf", "book")]), toldTo: .itsReader,
            ofReader: .rows("shelf IN (SELECT key FROM shelves WHERE reader = ?1)"),
            ofBook: BookUse(byAnybody: "1", byOthers: "shelf IN (SELECT key FROM shelves WHERE reader <> ?2)")),
        .of(
            SuspensionTable.self, along: .rows(), toldTo: .itsReader,
            ofReader: .rows("key = ?1")),
        .of(
            BlockTable.self,
            along: .rows(
                .facts("blocks.owner = ?1"), also: [.init(member: "owner", column: "owner", isReader: true)],
                secret: ["name"], unique: [Uniqueness("owner", "blocked")], privateIf: "1"),
            toldTo: .itsReader, ofReader: .rows("owner = ?1")),
        .of(
            ReportTable.self, along: .nothing(because: "They are for those who decide in this house."),
            toldTo: .itsReader, ofReader: .nothing(because: "those who decide are told that they end: see Leaving")),
        StoredTable(
            name: "hidings", along: .follows, ofReader: .rows("reader = ?1", by: "reader, club, author, since"),
            ofClub: "club = ?1", rules: Hiding.rules),
        .of(
            SettingsTable.self, along: .rows(.own("settings.key = ?1"), saidIf: "NOT \(SettingsTable.isAsMade)"),
            toldTo: .itsReader, ofReader: .rows("key = ?1"), rules: Rules.settings),
        .of(
            SceneTable.self,
            along: .rows(
                .own("scenes.reader = ?1"), also: [.init(member: "reader", column: "reader", isReader: true)],
                privateIf: "1"),
            toldTo: .itsReader, ofReader: .rows("reader = ?1"), json: ["value"]),
        StoredTable(
            name: "streams", along: .nothing(because: "They are secrets."),
            ofReader: .nothing(because: "they end with the reader"), json: ["watch"]),
        StoredTable(name: "accounts", along: .lines(.accounts), ofReader: .rows("reader = ?1", atOnce: true)),
        StoredTable(
            name: "identities", along: .lines(.identities),
            ofReader: .rows("reader = ?1", by: "issuer, subject", atOnce: true)),
        .of(
            LinkTable.self, along: .nothing(because: "They are secrets."), toldTo: .itsReader,
            ofReader: .nothing(because: "they end with the reader, as changes"),
            ofClub: "club = ?1"),
        StoredTable(
            name: "former_members", along: .lines(.formerMembers), ofReader: .rows("reader = ?1", by: "club, reader"),
            ofClub: "club = ?1",
            rules: Rules.formerMembers),
        StoredTable(
            name: "keepsakes", along: .lines(.keepsakes), ofReader: .rows("reader = ?1", by: "reader, kind, id, part"),
            json: ["value"]),
        StoredTable(
            name: "awaited_entries", along: .follows, ofReader: .nothing(because: "they go with their readings")),
        StoredTable(
            name: "clock_marks", along: .nothing(because: "They are of one log."), ofReader: nobodys,
            rules: Rules.clockMarks),
    ]
}
