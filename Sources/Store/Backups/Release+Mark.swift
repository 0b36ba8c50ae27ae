import Model

/// Which program wrote a database last, as a number that the database keeps: 1002003 is 1.2.3.
extension Release {
    private static let number: Int64 = version.split(separator: ".").reduce(0) { $0 * 1000 + (Int64($1) ?? 0) }

    /// Notes that it is this one. On a full disk it is not noted, and can be the next time.
    static func note(in connection: Connection) throws(SQLiteError) {
        guard try connection.number("SELECT value FROM meta WHERE name = 'program'") != number else { return }
        do throws(SQLiteError) {
            try connection.statement("INSERT OR REPLACE INTO meta (name, value) VALUES ('program', ?1)").bind(1, number)
                .run()
        } catch  where error.isFull {}
    }

    /// The version of the one that did; nil where the database does not say.
    static func last(in connection: Connection) throws(SQLiteError) -> String? {
        try connection.number("SELECT value FROM meta WHERE name = 'program'").map {
            "\($0 / 1_000_000).\($0 / 1000 % 1000).\($0 % 1000)"
        }
    }
}
