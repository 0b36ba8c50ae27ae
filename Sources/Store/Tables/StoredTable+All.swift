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
            name: "meta", export: .nothing(because: "It belongs to one database file."), ofReader: unowned,
            rules: IntegrityRules.meta),
        .init(
            name: "readers", resource: ReaderTable.self, export: .records(.readers), changeAudience: .itsReader,
            ofReader: .nothing(because: "the row stays, without a name"), derived: ["guardian", "isManaged"],
            json: ["suspension"], rules: IntegrityRules.readers),
        .init(
            name: "departures", export: .nothing(because: "They are exported with the readers."),
            ofReader: .nothing(because: "the last step deletes it"), rules: IntegrityRules.departures),
        .init(
            name: "guardianships", export: .records(.guardianships),
            ofReader: .rows("reader = ?1 OR guardian = ?1", by: "reader", atOnce: true),
            rules: IntegrityRules.guardianships),
        .init(
            name: "tokens", resource: TokenTable.self, export: .nothing(because: "They are secrets."),
            changeAudience: .itsReader,
            ofReader: .nothing(because: "they end with the reader, with an event each"), derived: ["lastUsedOn"]),
        .init(
            name: "books", resource: BookTable.self,
            export: .rows(
                .catalogue(book: "books.key"), columns: [.init("addedBy", column: "added_by", .anyReader)],
                without: ["coverDigest"], wholeOnly: ["addedBy"]), changeAudience: .everyone,
            ofReader: .nothing(because: "the catalogue is shared"), json: ["authors"], rules: IntegrityRules.books),
        .init(
            name: "covers", export: .records(.covers), ofReader: unowned, ofBook: .unused, rules: IntegrityRules.covers),
        .init(
            name: "books_words", export: .follows, ofReader: unowned,
            rules: IntegrityRules.searchIndexRules(of: "books_words", "books", at: BookWordIndex.place, where: "1")),
        .init(name: "words", export: .follows, ofReader: unowned),
        .init(
            name: "chapters", resource: ChaptersTable.self, export: .rows(.catalogue(book: "chapters.key")),
            changeAudience: .everyone, ofReader: unowned, json: ["chapters"], rules: IntegrityRules.chapters),
        .init(
            name: "editions", resource: EditionTable.self,
            export: .rows(
                .catalogue(book: "editions.book"), columns: [.init("addedBy", column: "added_by", .anyReader)],
                wholeOnly: ["addedBy"]), changeAudience: .everyone,
            ofReader: .nothing(because: "the catalogue is shared"), json: ["anchors"], ofBook: .unused,
            rules: IntegrityRules.editions),
        .init(
            name: "scales", export: .nothing(because: "Records name their scales."), ofReader: unowned, ofBook: .unused),
        .init(
            name: "readings", resource: ReadingTable.self,
            export: .rows(.own("readings.reader = ?1"), wholeOnly: ["number"]),
            changeAudience: .itsReader, ofReader: .resources(ReadingTable.self, where: "readings.reader = ?1 LIMIT ?2"),
            json: ["position"], ofBook: BookUseCondition(byAnybody: "1", byOthers: "reader <> ?2"),
            rules: IntegrityRules.readings),
        .init(
            name: "entries", resource: EntryTable.self,
            export: .rows(
                .own("readings.reader = ?1"), by: "readings.key, entries.happened_at, entries.key",
                columns: ExportColumn.scaled, without: ["noteId"],
                wholeOnly: ExportColumn.scaled.map { "\($0.member)" }, isReplaceable: false),
            changeAudience: .itsReader, ofReader: .nothing(because: "they follow their readings"),
            derivedOfLeaving: ["note"], json: ["position"],
            rules: IntegrityRules.entries + IntegrityRules.scalesOfEntries),
        knowledge,
        .init(
            name: "deleted_readings", export: .nothing(because: "They are deleted."), ofReader: unowned,
            rules: IntegrityRules.deletedReadings),
        .init(
            name: "changes", export: .nothing(because: "Each server has its own log."),
            ofReader: .nothing(because: "its texts are removed: see LogRedaction"), json: ["value", "before"],
            rules: IntegrityRules.changes),
        .init(
            name: "idempotency_keys", export: .nothing(because: "They expire after a day."),
            ofReader: .rows("reader = ?1", by: "reader, key"), json: ["value"], rules: IntegrityRules.idempotencyKeys),
        .init(
            name: "clubs", resource: ClubTable.self, export: .rows(isReplaceable: false), changeAudience: .itsClub,
            ofReader: notified, rules: IntegrityRules.clubs),
        .init(
            name: "members", resource: MemberTable.self, export: .rows(isReplaceable: false), changeAudience: .itsClub,
            ofReader: notified, ofClub: "club = ?1", rules: IntegrityRules.members),
        .init(
            name: "invitations", resource: InvitationTable.self, export: .nothing(because: "Their codes are secrets."),
            changeAudience: .itsModeratorsAndReader, ofReader: notified, ofClub: "club = ?1"),
        .init(
            name: "runs", resource: ClubRunTable.self, export: .rows(without: ["title"]), changeAudience: .itsClub,
            ofReader: .nothing(because: "the club keeps the proposal, and an id has no text"), ofClub: "club = ?1",
            ofBook: .ofClub("runs"), rules: IntegrityRules.runs + [IntegrityRules.titles(of: "runs", in: "title")]),
        .init(
            name: "notes", resource: NoteTable.self,
            export: .rows(
                NoteTable.accountRows,
                columns: ExportColumn.threshold + [
                    .init("answers", .answered), .init("writtenBy", column: "author", .nameless),
                    .init("noteKind", column: "kind", .noteKind), .init("entry", .entryOfNote),
                ], without: ["reactions", "replyCount", "kind"], wholeOnly: NoteTable.membersInClubs,
                privateIf: NoteTable.isPrivate), changeAudience: .itsClubOrReader,
            ofReader: .resources(NoteTable.self, where: "notes.author = ?1 AND notes.club IS NULL LIMIT ?2"),
            json: ["reactions", "position", "opens_at"], ofClub: "club = ?1", ofBook: .ofNote,
            rules: IntegrityRules.notes),
        .init(
            name: "notes_words", export: .follows, ofReader: .nothing(because: "they end with their notes"),
            ofClub: "rowid IN (SELECT key FROM notes WHERE club = ?1 AND body IS NOT NULL)",
            rules: IntegrityRules.searchIndexRules(
                of: "notes_words", "notes", at: "notes.key", where: "body IS NOT NULL")),
        ratings,
        .init(
            name: "bulk_changes", export: .nothing(because: "This server finishes its own work."),
            ofReader: .rows("kind <> 'title' AND subject = ?1", by: "subject, club, kind"), ofClub: "club = ?1",
            rules: IntegrityRules.bulkChanges),
        .init(
            name: "marks", export: .follows, ofReader: .rows("reader = ?1", by: "reader, book, scale, until"),
            ofClub: "book = 0 AND scale = -?1", rules: HighWaterMarks.rules),
        .init(
            name: "reactions", export: .records(.reactions),
            ofReader: .nothing(because: "they stay counted, without a reader"),
            ofClub: "note IN (SELECT key FROM notes WHERE club = ?1)", rules: IntegrityRules.reactions),
        .init(
            name: "milestones", resource: MilestoneTable.self, export: .rows(), changeAudience: .itsClub,
            ofReader: unowned, json: ["position"], ofClub: ofRunOfClub),
        .init(
            name: "standings", resource: StandingTable.self,
            export: .rows(columns: [.init("reading", .id)], without: ["isCurrent", "name"]),
            changeAudience: .itsClubOrPlainMembers, ofReader: withMember, derived: ["isCurrent"], ofClub: ofRunOfClub,
            rules: IntegrityRules.standings + [IntegrityRules.names(of: "standings")]),
        .init(
            name: "moderator_standings", resource: ModeratorStandingTable.self,
            export: .nothing(because: "An import makes them with the standings."),
            changeAudience: .itsModeratorsAndMember, ofReader: withMember, derived: ["isCurrent"], ofClub: ofRunOfClub,
            rules: [IntegrityRules.names(of: "moderator_standings")]),
        .init(
            name: "meetings", resource: MeetingTable.self, export: .rows(without: ["bookTitle"]),
            changeAudience: .itsClub, ofReader: unowned,
            json: ["position"], ofClub: "club = ?1", ofBook: .ofClub("meetings"),
            rules: [IntegrityRules.titles(of: "meetings", in: "book_title")]),
        .init(
            name: "attendances", resource: MeetingAttendanceTable.self, export: .rows(without: ["name"]),
            changeAudience: .itsClub,
            ofReader: withMember, ofClub: "meeting IN (SELECT key FROM meetings WHERE club = ?1)",
            rules: [IntegrityRules.names(of: "attendances")]),
        .init(
            name: "calendars", resource: CalendarAddressTable.self,
            export: .nothing(because: "Their addresses are secrets."), changeAudience: .itsReader, ofReader: withMember,
            ofClub: "member IN (SELECT key FROM members WHERE club = ?1)"),
        .init(
            name: "listings", resource: ClubListingTable.self, export: .rows(), changeAudience: .everyone,
            ofReader: unowned, rules: IntegrityRules.listings),
        .init(
            name: "join_requests", resource: JoinRequestTable.self, export: .rows(isReplaceable: false),
            changeAudience: .itsModeratorsAndReader,
            ofReader: notified, ofClub: "club = ?1", rules: IntegrityRules.joinRequests),
        .init(
            name: "removals", resource: MemberRemovalTable.self, export: .rows(), changeAudience: .itsModerators,
            ofReader: notified, ofClub: "club = ?1"),
        .init(
            name: "shelves", resource: ShelfTable.self,
            export: .rows(
                .own("shelves.reader = ?1"), wholeOnly: ["club"],
                exportedIf: "shelves.version > 0 AND NOT \(ShelfTable.isAsMade)",
                inAccountsIf: "NOT \(ShelfTable.isNamedAsMade)"), changeAudience: .itsReader,
            ofReader: .rows("reader = ?1")),
        .init(
            name: "shelf_books", resource: ShelfBookTable.self, export: .rows(.own("shelves.reader = ?1")),
            changeAudience: .itsReader, ofReader: .rows("shelf IN (SELECT key FROM shelves WHERE reader = ?1)"),
            ofBook: BookUseCondition(
                byAnybody: "1",
                byOthers:
                    "EXISTS (SELECT 1 FROM shelves WHERE shelves.key = shelf_books.shelf AND shelves.reader <> ?2)")),
        .init(
            name: "blocks", resource: ReaderBlockTable.self, export: .rows(columns: [.init("owner", .key("readers"))]),
            changeAudience: .itsReader, ofReader: .rows("owner = ?1")),
        .init(
            name: "reports", resource: ContentReportTable.self,
            export: .nothing(because: "They are for moderators of this server."),
            changeAudience: .itsReader, ofReader: .nothing(because: "deciders get an event: see ResourceEnding")),
        .init(
            name: "hidden_authors", export: .follows, ofReader: .rows("reader = ?1", by: "reader, club, author, since"),
            ofClub: "club = ?1", rules: BlockVisibility.rules),
        .init(
            name: "settings", resource: SettingsTable.self,
            export: .rows(
                .own("settings.key = ?1"), wholeOnly: ["presence"], exportedIf: "NOT \(SettingsTable.isAsMade())",
                inAccountsIf: "NOT \(SettingsTable.isAsMade(except: ["presence"]))", hasDerivedID: true),
            changeAudience: .itsReader, ofReader: .rows("key = ?1"), rules: IntegrityRules.settings),
        .init(
            name: "scenes", resource: ClientSceneTable.self,
            export: .rows(
                .own("scenes.reader = ?1"), columns: [.init("reader", .key("readers"))], privateIf: "1",
                hasDerivedID: true),
            changeAudience: .itsReader, ofReader: .rows("reader = ?1"), json: ["value"]),
        .init(
            name: "claims", export: .records(.claims),
            ofReader: .nothing(because: "an id stays used, and a digest has no text"), rules: IntegrityRules.claims),
        .init(
            name: "streams", export: .nothing(because: "They are secrets."),
            ofReader: .nothing(because: "they end with the reader"), json: ["watch"]),
        .init(name: "accounts", export: .records(.accounts), ofReader: .rows("reader = ?1", atOnce: true)),
        .init(
            name: "identities", export: .records(.identities),
            ofReader: .rows("reader = ?1", by: "issuer, subject", atOnce: true)),
        .init(
            name: "links", resource: OneTimeLinkTable.self, export: .nothing(because: "They are secrets."),
            changeAudience: .itsReader,
            ofReader: .nothing(because: "they end with the reader, with an event each"), ofClub: "club = ?1"),
        .init(
            name: "former_members", export: .records(.formerMembers),
            ofReader: .rows("reader = ?1", by: "club, reader"), ofClub: "club = ?1", rules: IntegrityRules.formerMembers
        ),
        .init(
            name: "clock_marks", export: .nothing(because: "They belong to one log."), ofReader: unowned,
            rules: IntegrityRules.clockMarks),
    ]
}
