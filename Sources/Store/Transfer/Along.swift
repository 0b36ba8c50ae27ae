import JSON
import Model

/// What of a table goes along in an export.
enum Along: Sendable {
    /// Nothing, and why.
    case nothing(because: StaticString)
    /// Rows of a resource.
    case rows(Portion)
    /// Rows that are no resources.
    case lines(Portable)

    @inline(never)
    static func rows(
        _ account: Portion.Account = .others, by order: String? = nil, also: [Portion.Also] = [],
        without: [String] = [], secret: [String] = [], saidIf condition: String? = nil, unique: [Uniqueness] = [],
        privateIf privacy: String? = nil
    ) -> Along {
        .rows(
            Portion(
                account: account, order: order, also: also, without: without, secret: secret, condition: condition,
                unique: unique, privacy: privacy))
    }
}

/// Which rows of a resource's table go along, and what of them beside its fields.
struct Portion: Sendable {
    /// What of it is in one reader's account.
    enum Account: Sendable {
        /// Nothing.
        case others
        /// The rows of the reader `?1`: an import makes them the reader's.
        case own(String)
        /// What the rows of the reader `?1` say of things that are a club's: an import keeps it as it was said.
        case facts(String)

        /// Which rows those are.
        var condition: String? {
            switch self {
            case .others: nil
            case .own(let condition), .facts(let condition): condition
            }
        }
    }

    /// A column that requests never see, and without which its row is not what it was.
    struct Also: Sendable {
        /// What it has.
        enum Form: Sendable {
            case id
            /// The key of a reader's row, said by its id.
            case reader
            /// A number from 0 to 1,000,000.
            case number
            /// The same of what names no edition, and so has no `frame` in its line.
            case numberOfBook
            /// A number from 0 to 1,000,000,000.
            case depth
            /// The same of what is in the frame of an edition.
            case depthOfEdition
            /// Where a note opens that does not tell; left out of others.
            case reticent
            /// Whether it is one; left out where not.
            case flag
            /// A place (see `Place`), said by the id of its edition, or of its book.
            case frame
            /// The key of the note that is answered, said by the id of that or, where it is deleted, of what it answered itself;
            /// never in an account, in which there are no notes of others.
            case answered
            /// The same as `reader` of a note that names nobody as its author; left out of others.
            case nameless
            /// What a note is; a line's own member of that name says what the line is of.
            case noteKind
            /// The id of the entry that shows a note.
            case entryOfNote
        }

        let member: StaticString
        let column: String
        let form: Form
        /// Of rows for which this is so an account says nothing of it.
        var untold: String?

        /// How far a reader has come.
        static let reached = [
            Also(member: "frame", .frame), Also(member: "floor", .number),
            Also(member: "depth", column: "frame_at", .depth),
            Also(member: "chaptersAt", column: "chapters_at", .depth),
        ]

        /// Where a note opens. One that does not tell may open where somebody knows the book whom it answers: its author's account
        /// does not tell it either.
        static let opening = [
            Also(member: "frame", .frame), Also(member: "frameAt", column: "frame_at", .numberOfBook),
            Also(member: "depth", column: "frame_at", .depthOfEdition),
            Also(member: "chaptersAt", column: "chapters_at", .depth),
            Also(member: "opensAtUntold", column: "opens_at", .reticent),
        ].map { $0.untold(if: "notes.is_reticent = 1") }

        /// The same, but for rows of which it is not told in an account.
        func untold(if condition: String) -> Also {
            var also = self
            also.untold = condition
            return also
        }

        @inline(never)
        init(member: StaticString, column: String, isReader: Bool) {
            (self.member, self.column, form) = (member, column, isReader ? .reader : .id)
        }

        /// A column that is called like its member.
        @inline(never)
        init(member: StaticString, _ form: Form) {
            self.init(member: member, column: "\(member)", form)
        }

        @inline(never)
        init(member: StaticString, column: String, _ form: Form) {
            (self.member, self.column, self.form) = (member, column, form)
        }
    }

    let account: Account
    /// In what order an import may make them anew, so that they come out of it in the same; without one by their keys.
    let order: String?
    let also: [Also]
    /// Fields that follow from other rows.
    let without: [String]
    /// Fields that are in an export of everything only.
    let secret: [String]
    /// Rows for which this is not so are there from the start.
    let condition: String?
    let unique: [Uniqueness]
    /// Rows for which this is so are the reader's alone: no guardian gets them.
    let privacy: String?
}

/// Lines of an export, all of one kind: how they are written, and what they become in a house that takes them in.
struct Portable: Sendable {
    /// What the lines call themselves.
    let kind: String
    let account: Portion.Account
    /// All rows, or those of the reader `?1`.
    let whole: SQL
    let ofReader: SQL?
    /// What the guardian of the reader `?1` gets; nil for the same.
    var ofWard: SQL?
    /// What a row is known by, in the order in which facts are told.
    let place: @Sendable (Statement) -> Place
    /// Writes the members of a row, for an account or of everything.
    let write: @Sendable (Statement, _ isOfAccount: Bool, inout JSONWriter) -> Void
    /// In what no two of its rows are the same.
    let unique: [Uniqueness]
    /// What a line is to become.
    let bring: @Sendable (JSONValue, borrowing WriteState, Asker, Bringing) throws(LecternError) -> Decision

    struct Place: Sendable {
        let id: ResourceID
        /// Of what has no id of its own, which of those there are of that id.
        var part = ""
    }
}

extension Along {
    /// It follows from other tables.
    static let follows = Along.nothing(because: "It follows from others.")

    /// The same with how its lines are written and taken in, where it has some.
    @_semantics("optimize.sil.specialize.generic.never")
    func taken<Stored: Table>(from _: Stored.Type, isThere: String) -> Along {
        guard case .rows(let portion) = self else { return self }
        return .lines(Portable(Stored.self, portion, isThere: isThere))
    }
}

extension StoredTable {
    /// How its rows go along; nil when they do not.
    var portable: Portable? { if case .lines(let portable) = along { portable } else { nil } }

    /// The kinds of lines that there may be.
    static let portable = Dictionary(
        uniqueKeysWithValues: all.compactMap { table in table.portable.map { ($0.kind, $0) } })

    /// The books that anything in the account of the reader `?1` is of.
    static let booksOfAccount = """
        books.key IN (SELECT book FROM readings WHERE reader = ?1
            UNION SELECT book FROM knowledge WHERE reader = ?1
            UNION SELECT book FROM notes WHERE author = ?1 AND body IS NOT NULL
            UNION SELECT book FROM shelf_books JOIN shelves ON shelves.key = shelf_books.shelf WHERE shelves.reader = ?1)
        """
}
