import Model

/// The removal of the administrator whom the first start made, because the import of a whole server brings another: the server's own user
/// acts for the first administrator there is.
struct AdministratorHandover: Proposal {
    let administrator: Reader

    func apply(to application: inout Application, _ moment: Moment) throws(SQLiteError) -> Outcome? {
        for table in ["shelves", "settings"] {
            try application.connection.statement(DepartedReader.ends, table).bind(1, administrator.id).run()
        }
        return try Write<ReaderTable>(before: administrator, after: nil).apply(to: &application, moment)
    }
}

extension WriteState {
    /// Returns the changes before and after the creation of an imported administrator. There are none unless the server's own user imports
    /// into an untouched database, which has only the first administrator and the token that the first start shows. That
    /// token becomes the new administrator's.
    func administratorHandover(
        to reader: Reader, _ asker: Asker, _ context: ImportContext
    ) throws(LecternError) -> (before: [any Proposal], after: [any Proposal]) {
        guard !context.isOfAccount, asker.viewer.token == nil, try isUntouched(),
            let administrator = try read(ReaderTable.firstAdministrator(in: db))
        else { return ([], []) }
        let removal = AdministratorHandover(administrator: administrator)
        guard let token = try read(TokenTable.all(ofReader: administrator.key, in: db)).first else {
            return ([removal], [])
        }
        // Another id ends what is open with the token, and caches forget whose it is.
        var new = Token(
            id: asker.newID, reader: (reader.id, try read(ReaderTable.nextKey(in: db))), name: token.name,
            access: token.access, expiresAt: token.expiresAt, createdAt: asker.now)
        new.digest = try read(TokenTable.digest(of: token, in: db))
        return (
            [Write<TokenTable>(before: token, after: nil), removal], [Write<TokenTable>(before: nil, after: new)]
        )
    }

    private func isUntouched() throws(LecternError) -> Bool {
        try query { db throws(SQLiteError) in
            try db.statement(
                """
                SELECT 1 WHERE (SELECT max(seq) FROM changes) <= 2 AND NOT EXISTS (SELECT 1 FROM changes
                    WHERE seq = 2 AND (kind <> ?1 OR resource NOT IN (SELECT id FROM tokens)))
                """
            ).bind(1, Int64(ResourceKind.token.rawValue)).first { _ in true } ?? false
        }
    }
}
