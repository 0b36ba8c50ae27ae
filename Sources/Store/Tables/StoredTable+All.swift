import Model

extension StoredTable {
    private static let ofRunOfClub = "run IN (SELECT key FROM runs WHERE club = ?1)"

    // The handling of a reader's rows when the reader leaves.
    private static let unowned = ReaderDeletionPolicy.nothing(because: "its rows belong to no reader")
    private static let notified = ReaderDeletionPolicy.nothing(
        because: "others get an event: see ResourceEnding and OwnerTransfer")
    private static let withMember = ReaderDeletionPolicy.nothing(because: "it ends with the membership")

    /// All tables, each after the tables that it refers to.
    static let all: [StoredTable] = [
        .init(
            "meta", isLocal: true, export: .nothing(because: "It belongs to one database file."), ofReader: unowned,
            ofClubOrBook: .none, rules: IntegrityRules.meta),
        .init(
            ReaderTable.self, audience: .itsReader, export: .records(.readers),
            ofReader: .nothing(because: "the row stays, without a name"), ofClubOrBook: .none,
            rules: IntegrityRules.readers, derived: ["guardian", "isManaged"]),
        .init(
            "departures", isLocal: false, export: .nothing(because: "They are exported with the readers."),
            ofReader: .nothing(because: "the last step deletes it"), ofClubOrBook: .none,
            rules: IntegrityRules.departures),
        .init(
            "guardianships", isLocal: false, export: .records(.guardianships),
            ofReader: .rows("reader = ?1 OR guardian = ?1", by: "reader", atOnce: true), ofClubOrBook: .none,
            rules: IntegrityRules.guardianships),
        .init(
            TokenTable.self, audience: .itsReader, export: .nothing(because: "They are secrets."),
            ofReader: .nothing(because: "they end with the reader, with an event each"), ofClubOrBook: .none, rules: [],
            derived: ["lastUsedOn"]),
        .init(
            BookTable.self, audience: .everyone,
            exported: .init(
                inAccounts: .catalogue(book: "books.key"), columns: [.init("addedBy", column: "added_by", .anyReader)],
                without: ["coverDigest"], wholeOnly: ["addedBy"]),
            ofReader: .nothing(because: "the catalogue is shared"), ofClubOrBook: .none, rules: IntegrityRules.books),
        .init(
            "covers", isLocal: false, export: .records(.covers), ofReader: unowned, ofClubOrBook: .book(.unused),
            rules: IntegrityRules.covers),
        .init(
            "books_words", isLocal: true, export: .follows, ofReader: unowned, ofClubOrBook: .none,
            rules: IntegrityRules.searchIndexRules(of: "books_words", "books", at: BookWordIndex.place, where: "1")),
        .init("words", isLocal: true, export: .follows, ofReader: unowned, ofClubOrBook: .none, rules: []),
        .init(
            ChaptersTable.self, audience: .everyone, exported: .init(inAccounts: .catalogue(book: "chapters.key")),
            ofReader: unowned, ofClubOrBook: .none, rules: IntegrityRules.chapters),
        .init(
            EditionTable.self, audience: .everyone,
            exported: .init(
                inAccounts: .catalogue(book: "editions.book"),
                columns: [.init("addedBy", column: "added_by", .anyReader)], wholeOnly: ["addedBy"]),
            ofReader: .nothing(because: "the catalogue is shared"), ofClubOrBook: .book(.unused),
            rules: IntegrityRules.editions),
        .init(
            "scales", isLocal: false, export: .nothing(because: "Records name their scales."), ofReader: unowned,
            ofClubOrBook: .book(.unused), rules: []),
        .init(
            ReadingTable.self, audience: .itsReader,
            exported: .init(inAccounts: .own("readings.reader = ?1", privateIf: "0"), wholeOnly: ["number"]),
            ofReader: .resources(ReadingTable.self, where: "readings.reader = ?1 LIMIT ?2"),
            ofClubOrBook: .book(BookUseCondition(byAnybody: "1", byOthers: "reader <> ?2")),
            rules: IntegrityRules.readings),
        .init(
            EntryTable.self, audience: .itsReader,
            exported: .init(
                inAccounts: .own("readings.reader = ?1", privateIf: "0"),
                order: "readings.key, entries.happened_at, entries.key", columns: ExportColumn.scaled,
                without: ["noteId"], wholeOnly: ExportColumn.scaled.map { "\($0.member)" }, isReplaceable: false),
            ofReader: .nothing(because: "they follow their readings"), ofClubOrBook: .none,
            rules: IntegrityRules.entries + IntegrityRules.scalesOfEntries, derivedOfLeaving: ["note"]),
        knowledge,
        .init(
            "deleted_readings", isLocal: false, export: .nothing(because: "They are deleted."), ofReader: unowned,
            ofClubOrBook: .none,
            rules: IntegrityRules.deletedReadings),
        .init(
            "changes", isLocal: false, export: .nothing(because: "Each server has its own log."),
            ofReader: .nothing(because: "its texts are removed: see LogRedaction"), ofClubOrBook: .none,
            rules: IntegrityRules.changes + [
                IntegrityRules.json("value", in: "changes"), IntegrityRules.json("before", in: "changes"),
            ]),
        .init(
            "idempotency_keys", isLocal: false, export: .nothing(because: "They expire after a day."),
            ofReader: .rows("reader = ?1", by: "reader, key"), ofClubOrBook: .none,
            rules: IntegrityRules.idempotencyKeys + [IntegrityRules.json("value", in: "idempotency_keys")]),
        .init(
            ClubTable.self, audience: .itsClub, exported: .init(inAccounts: .none, isReplaceable: false),
            ofReader: notified, ofClubOrBook: .none, rules: IntegrityRules.clubs),
        .init(
            MemberTable.self, audience: .itsClub, exported: .init(inAccounts: .none, isReplaceable: false),
            ofReader: notified, ofClubOrBook: .club("club = ?1"), rules: IntegrityRules.members),
        .init(
            InvitationTable.self, audience: .itsModeratorsAndReader,
            export: .nothing(because: "Their codes are secrets."), ofReader: notified, ofClubOrBook: .club("club = ?1"),
            rules: []),
        .init(
            ClubRunTable.self, audience: .itsClub, exported: .init(inAccounts: .none, without: ["title"]),
            ofReader: .nothing(because: "the club keeps the proposal, and an id has no text"),
            ofClubOrBook: .club("club = ?1", book: .ofClub("runs")),
            rules: IntegrityRules.runs + [IntegrityRules.titles(of: "runs", in: "title")]),
        .init(
            NoteTable.self, audience: .itsClubOrReader,
            exported: .init(
                inAccounts: NoteTable.accountRows,
                columns: ExportColumn.threshold + [
                    .init("answers", .answered), .init("writtenBy", column: "author", .nameless),
                    .init("noteKind", column: "kind", .noteKind), .init("entry", .entryOfNote),
                ], without: ["reactions", "replyCount", "kind"], wholeOnly: NoteTable.membersInClubs),
            ofReader: .resources(NoteTable.self, where: "notes.author = ?1 AND notes.club IS NULL LIMIT ?2"),
            ofClubOrBook: .club("club = ?1", book: .ofNote), rules: IntegrityRules.notes),
        .init(
            "notes_words", isLocal: true, export: .follows, ofReader: .nothing(because: "they end with their notes"),
            ofClubOrBook: .club("rowid IN (SELECT key FROM notes WHERE club = ?1 AND body IS NOT NULL)"),
            rules: IntegrityRules.searchIndexRules(
                of: "notes_words", "notes", at: "notes.key", where: "body IS NOT NULL")),
        ratings,
        .init(
            "bulk_changes", isLocal: false, export: .nothing(because: "This server finishes its own work."),
            ofReader: .rows("kind <> 'title' AND subject = ?1", by: "subject, club, kind"),
            ofClubOrBook: .club("club = ?1"), rules: IntegrityRules.bulkChanges),
        .init(
            "marks", isLocal: false, export: .follows, ofReader: .rows("reader = ?1", by: "reader, book, scale, until"),
            ofClubOrBook: .club("book = 0 AND scale = -?1"), rules: HighWaterMarks.rules),
        .init(
            "reactions", isLocal: false, export: .records(.reactions),
            ofReader: .nothing(because: "they stay counted, without a reader"),
            ofClubOrBook: .club("note IN (SELECT key FROM notes WHERE club = ?1)"), rules: IntegrityRules.reactions),
        .init(
            MilestoneTable.self, audience: .itsClub, exported: .init(inAccounts: .none), ofReader: unowned,
            ofClubOrBook: .club(ofRunOfClub), rules: []),
        .init(
            StandingTable.self, audience: .itsClubOrPlainMembers,
            exported: .init(inAccounts: .none, columns: [.init("reading", .id)], without: ["isCurrent", "name"]),
            ofReader: withMember, ofClubOrBook: .club(ofRunOfClub),
            rules: IntegrityRules.standings + [IntegrityRules.names(of: "standings")], derived: ["isCurrent"]),
        .init(
            ModeratorStandingTable.self, audience: .itsModeratorsAndMember,
            export: .nothing(because: "An import makes them with the standings."), ofReader: withMember,
            ofClubOrBook: .club(ofRunOfClub), rules: [IntegrityRules.names(of: "moderator_standings")],
            derived: ["isCurrent"]),
        .init(
            MeetingTable.self, audience: .itsClub, exported: .init(inAccounts: .none, without: ["bookTitle"]),
            ofReader: unowned, ofClubOrBook: .club("club = ?1", book: .ofClub("meetings")),
            rules: [IntegrityRules.titles(of: "meetings", in: "book_title")]),
        .init(
            MeetingAttendanceTable.self, audience: .itsClub, exported: .init(inAccounts: .none, without: ["name"]),
            ofReader: withMember, ofClubOrBook: .club("meeting IN (SELECT key FROM meetings WHERE club = ?1)"),
            rules: [IntegrityRules.names(of: "attendances")]),
        .init(
            CalendarAddressTable.self, audience: .itsReader, export: .nothing(because: "Their addresses are secrets."),
            ofReader: withMember, ofClubOrBook: .club("member IN (SELECT key FROM members WHERE club = ?1)"), rules: []),
        .init(
            ClubListingTable.self, audience: .everyone, exported: .init(inAccounts: .none), ofReader: unowned,
            ofClubOrBook: .none, rules: IntegrityRules.listings),
        .init(
            JoinRequestTable.self, audience: .itsModeratorsAndReader,
            exported: .init(inAccounts: .none, isReplaceable: false), ofReader: notified,
            ofClubOrBook: .club("club = ?1"), rules: IntegrityRules.joinRequests),
        .init(
            MemberRemovalTable.self, audience: .itsModerators, exported: .init(inAccounts: .none), ofReader: notified,
            ofClubOrBook: .club("club = ?1"), rules: []),
        .init(
            ShelfTable.self, audience: .itsReader,
            exported: .init(
                inAccounts: .own("shelves.reader = ?1", privateIf: "0"), wholeOnly: ["club"],
                condition: "shelves.version > 0 AND NOT \(ShelfTable.isAsMade)",
                accountCondition: "NOT \(ShelfTable.isNamedAsMade)"), ofReader: .rows("reader = ?1"),
            ofClubOrBook: .none, rules: []),
        .init(
            ShelfBookTable.self, audience: .itsReader,
            exported: .init(inAccounts: .own("shelves.reader = ?1", privateIf: "0")),
            ofReader: .rows("shelf IN (SELECT key FROM shelves WHERE reader = ?1)"),
            ofClubOrBook: .book(
                BookUseCondition(
                    byAnybody: "1",
                    byOthers:
                        "EXISTS (SELECT 1 FROM shelves WHERE shelves.key = shelf_books.shelf AND shelves.reader <> ?2)")
            ), rules: []),
        .init(
            ReaderBlockTable.self, audience: .itsReader,
            exported: .init(inAccounts: .none, columns: [.init("owner", .key("readers"))]),
            ofReader: .rows("owner = ?1"), ofClubOrBook: .none, rules: []),
        .init(
            ContentReportTable.self, audience: .itsReader,
            export: .nothing(because: "They are for moderators of this server."),
            ofReader: .nothing(because: "deciders get an event: see ResourceEnding"), ofClubOrBook: .none, rules: []),
        .init(
            "hidden_authors", isLocal: false, export: .follows,
            ofReader: .rows("reader = ?1", by: "reader, club, author, since"),
            ofClubOrBook: .club("club = ?1"), rules: BlockVisibility.rules),
        .init(
            SettingsTable.self, audience: .itsReader,
            exported: .init(
                inAccounts: .own("settings.key = ?1", privateIf: "0"), wholeOnly: ["presence"],
                condition: "NOT \(SettingsTable.isAsMade())",
                accountCondition: "NOT \(SettingsTable.isAsMade(except: ["presence"]))", hasDerivedID: true),
            ofReader: .rows("key = ?1"), ofClubOrBook: .none, rules: IntegrityRules.settings),
        .init(
            ClientSceneTable.self, audience: .itsReader,
            exported: .init(
                inAccounts: .own("scenes.reader = ?1", privateIf: "1"), columns: [.init("reader", .key("readers"))],
                hasDerivedID: true), ofReader: .rows("reader = ?1"), ofClubOrBook: .none, rules: []),
        .init(
            "claims", isLocal: false, export: .records(.claims),
            ofReader: .nothing(because: "an id stays used, and a digest has no text"), ofClubOrBook: .none,
            rules: IntegrityRules.claims),
        .init(
            "streams", isLocal: false, export: .nothing(because: "They are secrets."),
            ofReader: .nothing(because: "they end with the reader"), ofClubOrBook: .none,
            rules: [IntegrityRules.json("watch", in: "streams")]),
        .init(
            "accounts", isLocal: false, export: .records(.accounts), ofReader: .rows("reader = ?1", atOnce: true),
            ofClubOrBook: .none,
            rules: []),
        .init(
            "identities", isLocal: false, export: .records(.identities),
            ofReader: .rows("reader = ?1", by: "issuer, subject", atOnce: true), ofClubOrBook: .none, rules: []),
        .init(
            OneTimeLinkTable.self, audience: .itsReader, export: .nothing(because: "They are secrets."),
            ofReader: .nothing(because: "they end with the reader, with an event each"),
            ofClubOrBook: .club("club = ?1"), rules: []),
        .init(
            "former_members", isLocal: false, export: .records(.formerMembers),
            ofReader: .rows("reader = ?1", by: "club, reader"),
            ofClubOrBook: .club("club = ?1"), rules: IntegrityRules.formerMembers),
        .init(
            "clock_marks", isLocal: false, export: .nothing(because: "They belong to one log."), ofReader: unowned,
            ofClubOrBook: .none,
            rules: IntegrityRules.clockMarks),
    ]
}
