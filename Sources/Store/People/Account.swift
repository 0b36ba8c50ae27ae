package import Model

/// A reader's sign-in name and password.
package struct Account: Sendable {
    package let readerKey: Int64
    package let reader: ResourceID
    /// The name as the reader chose it.
    package let name: String
    /// The hash by crypt(3), or `nil` if nobody can sign in with this account.
    package let password: String?
    package let passwordAt: Instant?
}

/// The table of accounts. Its rows are neither logged nor sent to anyone.
enum AccountTable {
    private static let columns = """
        SELECT accounts.reader, readers.id, accounts.name, password, password_at
        FROM accounts JOIN readers ON readers.key = accounts.reader
        """
    private static let ofName = SQLText("\(columns) WHERE accounts.folded = ?1")
    private static let ofReader = SQLText("\(columns) WHERE accounts.reader = ?1")

    static func find(_ name: SignInName, in connection: SQLiteConnection) throws(SQLiteError) -> Account? {
        try connection.statement(ofName).bind(name.folded).first(row)
    }

    static func find(ofReader reader: Int64, in connection: SQLiteConnection) throws(SQLiteError) -> Account? {
        try connection.statement(ofReader).bind(reader).first(row)
    }

    private static func row(_ statement: SQLiteStatement) -> Account {
        Account(
            readerKey: statement.integer(0), reader: statement.id(1), name: statement.text(2),
            password: statement.optionalText(3),
            passwordAt: statement.optionalInstant(4))
    }
}

extension AccountTable {
    /// Returns the changes to a reader's account. Without a `name` the current one is kept.
    static func writes(
        ofReader reader: Int64, name: SignInName?, password: String?, passwordAt: Instant?
    ) -> [any CommandChange] {
        let naming = name.map { name in
            UnloggedWrite(
                """
                INSERT INTO accounts (reader, name, folded) VALUES (?1, ?2, ?3)
                ON CONFLICT (reader) DO UPDATE SET name = ?2, folded = ?3
                """, reader, name.text, name.folded)
        }
        let change = UnloggedWrite(
            "UPDATE accounts SET password = ?2, password_at = ?3 WHERE reader = ?1", reader, password, passwordAt)
        return (naming.map { [$0] } ?? []) + [change]
    }
}

extension ReadConnection {
    /// Returns the account with a name, or `nil`.
    package func account(named name: SignInName) throws(RequestError) -> Account? {
        try query(AccountTable.find(name, in: db))
    }

    /// Returns the password hash of an account that depends only on a name, which nobody has, or `nil` if that account
    /// has none. Hashes that were made with an earlier setting take another time, so the time of a check would reveal
    /// which names exist if those that do not always took the time of a new hash.
    package func passwordHash(standingInFor name: [UInt8]) throws(RequestError) -> String? {
        let number = Int64(SHA256.digest(of: name).words[0])
        return try query(
            db.statement(
                """
                SELECT password FROM accounts WHERE reader >= ?1 % (SELECT max(reader) + 1 FROM accounts)
                ORDER BY reader LIMIT 1
                """
            ).bind(number).first { $0.optionalText(0) } ?? nil)
    }

    /// Returns the account of a reader, or `nil` if the reader has no sign-in name.
    package func account(of reader: Int64) throws(RequestError) -> Account? {
        try query(AccountTable.find(ofReader: reader, in: db))
    }
}
