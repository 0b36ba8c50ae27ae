import Model

/// The version of the program that last wrote a database, stored in it as a number: 1002003 is 1.2.3.
extension ProgramRelease {
    private static let number: Int64 = version.split(separator: ".").reduce(0) { $0 * 1000 + (Int64($1) ?? 0) }

    /// Stores this program's version. On a full disk the next start stores it.
    static func record(in connection: SQLiteConnection) throws(SQLiteError) {
        guard try connection.number("SELECT value FROM meta WHERE name = 'program'") != number else { return }
        do throws(SQLiteError) {
            try connection.statement("INSERT OR REPLACE INTO meta (name, value) VALUES ('program', ?1)").bind(number)
                .run()
        } catch  where error.isFull {}
    }

    /// Returns the stored version, or `nil` if there is none.
    static func last(in connection: SQLiteConnection) throws(SQLiteError) -> String? {
        try connection.number("SELECT value FROM meta WHERE name = 'program'").map {
            "\($0 / 1_000_000).\($0 / 1000 % 1000).\($0 % 1000)"
        }
    }
}
