import CSQLite
import Model

/// The rows that one or more commits have changed.
struct RowRecord: Sendable {
    /// The time at which the record was made, after the last of the commits.
    let time: Instant
    /// The last change of the log after the commits.
    let head: Int64
    /// The last keys that were given in tables that never reuse a key, such as `clubs 4 readers 17`.
    let sequences: String
    /// A changeset of SQLite's session extension: the rows before and after.
    let changeset: [UInt8]

    /// Returns the record of a clean end, which changes no row.
    static func end(_ text: String) -> RowRecord {
        RowRecord(time: .now, head: 0, sequences: endWord + text, changeset: [])
    }

    static let endWord = "end "
    private static let nextWord = "next "

    /// Returns the last record of a file that the file `id` follows. No record of that file is older.
    static func next(_ id: String) -> RowRecord {
        RowRecord(time: Backup.time(of: id) ?? .now, head: 0, sequences: nextWord + id, changeset: [])
    }

    /// The id of the file that follows after this record, or `nil`.
    var next: String? {
        changeset.isEmpty && sequences.hasPrefix(Self.nextWord) ? String(sequences.dropFirst(Self.nextWord.count)) : nil
    }

    /// Applies the record to a database without triggers that has the rows from before it.
    func replay(in connection: SQLiteConnection) throws(SQLiteError) {
        guard !changeset.isEmpty else { return }
        var (bytes, hasOtherTable) = (changeset, false)
        let code = sqlite3changeset_apply(
            connection.handle, Int32(bytes.count), &bytes,
            { context, name in
                // SQLite would pass over a table that it does not know.
                let isKnown = RowRecorder.isRecorded(name)
                if !isKnown { context?.storeBytes(of: true, as: Bool.self) }
                return isKnown ? 1 : 0
            }, { _, _, _ in SQLITE_CHANGESET_ABORT }, &hasOtherTable)
        guard code == SQLITE_OK, !hasOtherTable else {
            guard code == SQLITE_OK || code == SQLITE_ABORT else { throw connection.error(code) }
            throw SQLiteError(code: code, message: "they do not follow those of the database")
        }
        let words = sequences.split(separator: " ")
        for (table, key) in zip(words, words.dropFirst()) {
            guard let key = Int64(key) else { continue }
            try connection.statement("UPDATE sqlite_sequence SET seq = max(seq, ?2) WHERE name = ?1").bind(
                "\(table)", key
            )
            .run()
        }
    }
}
