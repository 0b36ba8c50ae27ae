package import Model

/// Queries for the earlier values that cards are made of.
extension ReadConnection {
    /// Returns a book right after a change, or `nil` if it did not exist then.
    package func book(_ id: ResourceID, asOf seq: Int64) throws(RequestError) -> Book? {
        if let book = try book(id), book.version <= seq { return book }
        return try value(of: .book, id, scope: .everyone, asOf: seq).flatMap { ResourceRepresentation($0) }.flatMap {
            Book($0)
        }
    }

    /// Returns a reading right after a change, or `nil` if it did not exist then.
    package func reading(_ reading: Reading, asOf seq: Int64) throws(RequestError) -> Reading? {
        if reading.version <= seq { return reading }
        let scope = ChangeScope.reader(key: reading.readerKey)
        var past = try value(of: .reading, reading.id, scope: scope, asOf: seq).flatMap { ResourceRepresentation($0) }
            .flatMap {
                Reading($0)
            }
        past?.key = reading.key
        return past
    }

    /// Returns the readings whose cards may have changed with a book: the existing ones, and those that were deleted
    /// since, with their last values. They are those of one reader, or of all.
    package func readings(ofBook id: ResourceID, since seq: Int64, of reader: Int64?) throws(RequestError) -> [Reading]
    {
        var readings: [Reading] = []
        if let book = try book(id) {
            readings = try query { db throws(SQLiteError) in
                guard let reader else { return try ReadingTable.all(of: "book", book.key, in: db) }
                return try ReadingTable.matching("readings.book = ?1 AND readings.reader = ?2", in: db)
                    .bind(book.key, reader).all(ReadingTable.row)
            }
        }
        for (before, scope) in try deletedReadings(since: seq, of: reader) {
            guard var reading = before.flatMap({ ResourceRepresentation($0) }).flatMap({ Reading($0) }) else {
                throw .internalError("a deleted reading in the log is not a reading")
            }
            reading.readerKey = scope
            if reading.book == id { readings.append(reading) }
        }
        return readings
    }

    private static let deleted = SQLVariants<Bool> { ofReader in
        """
        SELECT before, scope, seq, resource FROM changes \(ofReader ? "INDEXED BY changes_deletion_scope" : "NOT INDEXED")
        WHERE operation = 3 AND kind = \(ResourceKind.reading.rawValue) AND seq > ?1
            \(ofReader ? "AND scope = ?2" : "")
        """
    }

    /// Returns the last values of the readings that were deleted after a change, each with its reader's key.
    private func deletedReadings(
        since seq: Int64, of reader: Int64?
    ) throws(RequestError) -> [(before: [UInt8]?, reader: Int64)] {
        try query(
            db.statement(Self.deleted, reader != nil).bind(seq, reader).all {
                row throws(SQLiteError) in
                (try row.logged(0, "before", seq: row.integer(2), id: row.id(3)), row.integer(1))
            })
    }
}
