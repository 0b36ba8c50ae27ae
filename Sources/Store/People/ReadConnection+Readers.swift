package import Model

extension ReadConnection {
    private static let readers = SortedTableList(
        ReaderTable.rows, where: "\(ReaderTable.isThere) AND readers.key NOT IN (SELECT reader FROM guardianships)",
        order: .newestFirst)
    private static let managedAccounts = SortedTableList(
        ReaderTable.rows,
        where: """
            \(ReaderTable.isThere) AND readers.key IN (SELECT guardianships.reader FROM guardianships
                JOIN readers AS guards ON guards.key = guardianships.guardian WHERE guards.id = ?1)
            """, order: .newestFirst)

    private static let suspended = SortedTableList(
        ReaderTable.rows, where: "readers.suspension IS NOT NULL", order: .newestFirst)

    /// Returns a reader, or `nil`.
    package func reader(_ id: ResourceID) throws(RequestError) -> Reader? {
        try query(ReaderTable.find(id, in: db))
    }

    /// Returns a reader for an administrator, the reader or the reader's guardian, who does not receive the reason of a
    /// suspension. Throws for all others, whether or not the reader exists.
    package func reader(_ id: ResourceID, for viewer: Viewer) throws(RequestError) -> Reader? {
        var found = try reader(id)
        if viewer.role == .administrator || viewer.reader == id { return found }
        guard found?.guardian == viewer.reader else { throw .administratorsOnly }
        found?.suspension?.reason = nil
        return found
    }

    /// Returns the readers without a guardian, those of one guardian, or the suspended ones, newest first.
    ///
    /// - Parameter withReasons: Whether suspensions include their reasons, which guardians do not receive.
    package func readers(
        whoseGuardianIs guardian: ResourceID? = nil, withReasons: Bool = true, areSuspended: Bool = false,
        after cursor: String?, limit: Int
    ) throws(RequestError) -> ListPage<Reader> {
        if areSuspended { return try page(Self.suspended, after: cursor, limit: limit) }
        guard let guardian else { return try page(Self.readers, after: cursor, limit: limit) }
        let page = try page(Self.managedAccounts, after: cursor, limit: limit) { $0.bind(guardian) }
        if withReasons { return page }
        return page.compactMap { reader in
            var shown = reader
            shown.suspension?.reason = nil
            return shown
        }
    }

    /// Returns a token of any reader, or `nil`. The caller must check whose it is.
    package func token(_ id: ResourceID) throws(RequestError) -> Token? {
        try query(TokenTable.find(id, in: db))
    }

    /// The tokens of all readers, newest first.
    package static let tokens = SortedTableList(TokenTable.rows, order: .newestFirst)

    /// The tokens of the reader `?1`, newest first.
    package static let ownTokens = SortedTableList(TokenTable.rows, where: "tokens.reader = ?1", order: .newestFirst)

    /// The sessions of the reader `?1`, newest first.
    package static let ownSessions = SortedTableList(
        TokenTable.rows, where: "tokens.reader = ?1 AND tokens.is_session", order: .newestFirst)
}
