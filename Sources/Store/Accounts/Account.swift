package import Model

/// How a reader signs in by a name.
package struct Account: Sendable {
    package let readerKey: Int64
    package let reader: ResourceID
    /// As it was chosen.
    package let name: String
    /// As crypt(3) has it; nil: none, so nobody signs in by it.
    package let password: String?
    package let passwordAt: Instant?
}

/// Rows of accounts: they are in no log, and what they hold is sent to nobody.
enum AccountTable {
    private static let columns = """
        SELECT accounts.reader, readers.id, accounts.name, password, password_at
        FROM accounts JOIN readers ON readers.key = accounts.reader
        """
    private static let ofName = SQL("\(columns) WHERE accounts.folded = ?1")
    private static let ofReader = SQL("\(columns) WHERE accounts.reader = ?1")

    static func find(_ name: SignInName, in connection: Connection) throws(SQLiteError) -> Account? {
        try connection.statement(ofName).bind(1, name.folded).first(row)
    }

    static func find(ofReader reader: Int64, in connection: Connection) throws(SQLiteError) -> Account? {
        try connection.statement(ofReader).bind(1, reader).first(row)
    }

    private static func row(_ statement: Statement) -> Account {
        Account(
            readerKey: statement.integer(0), reader: statement.id(1), name: statement.text(2),
            password: statement.optionalText(3),
            passwordAt: statement.optionalInstant(4))
    }
}

/// What is to be true of how a reader signs in.
struct AccountWrite: Proposal {
    let reader: (id: ResourceID, key: Int64)
    /// Nil: what it is already.
    let name: SignInName?
    let password: String?
    let passwordAt: Instant?

    func apply(to application: inout Application, _ moment: Moment) throws(SQLiteError) -> Outcome? {
        let connection = application.connection
        if let name {
            try connection.statement(
                """
                INSERT INTO accounts (reader, name, folded) VALUES (?1, ?2, ?3)
                ON CONFLICT (reader) DO UPDATE SET name = ?2, folded = ?3
                """
            ).bind(1, reader.key).bind(2, name.text).bind(3, name.folded).run()
        }
        try connection.statement("UPDATE accounts SET password = ?2, password_at = ?3 WHERE reader = ?1")
            .bind(1, reader.key).bind(2, password).bind(3, passwordAt).run()
        application.noteSilentWrite()
        return Outcome(kind: .reader, id: reader.id, version: 0, value: nil, effect: .updated)
    }
}

extension ReadConnection {
    /// The account of a name; nil when nobody has it.
    package func account(named name: SignInName) throws(LecternError) -> Account? {
        try query { db throws(SQLiteError) in try AccountTable.find(name, in: db) }
    }

    /// How a reader signs in; nil for who has no name to do so.
    package func account(of reader: Int64) throws(LecternError) -> Account? {
        try query { db throws(SQLiteError) in try AccountTable.find(ofReader: reader, in: db) }
    }
}
