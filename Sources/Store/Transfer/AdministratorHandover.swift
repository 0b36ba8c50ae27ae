import Model

extension WriteState {
    /// Lets an imported administrator replace the initial administrator of a new server. The local user of the machine
    /// acts for the first administrator. Nothing happens if anything was done besides creating the initial administrator,
    /// and the token and the link that the first start shows, or if the actor has a token. The initial token passes to
    /// the imported administrator; the link ends.
    func handOver(to imported: inout RowImport<Reader>) throws(RequestError) {
        let line = imported.line
        guard !line.context.isOfAccount, line.actor.viewer.token == nil, try isUntouched(),
            let administrator = try query(ReaderTable.firstAdministrator(in: db))
        else { return }
        let links = try query(OneTimeLinkTable.all(of: "maker", administrator.key, in: db))
        imported.before =
            OneTimeLinkTable.deletions(of: links) + ReaderTable.deletionOfOwnRows(administrator.id) + [
                RowWrite<ReaderTable>(before: administrator, after: nil)
            ]
        guard let token = try query(TokenTable.all(of: "reader", administrator.key, in: db)).first else { return }
        // The token gets a new id, so its open streams end and caches do not keep the former reader.
        var new = Token(
            id: line.actor.newID, reader: (imported.row.id, try query(ReaderTable.rows.nextKey(in: db))),
            name: token.name,
            access: token.access, expiresAt: token.expiresAt, createdAt: line.now)
        new.digest = try query(TokenTable.digest(of: token, in: db))
        imported.before.insert(RowWrite<TokenTable>(before: token, after: nil), at: 0)
        imported.after = [RowWrite<TokenTable>(before: nil, after: new)]
    }

    private func isUntouched() throws(RequestError) -> Bool {
        try query(
            db.statement(
                """
                SELECT 1 WHERE (SELECT max(seq) FROM changes) <= 3 AND NOT EXISTS (SELECT 1 FROM changes
                    WHERE seq = 2 AND (kind <> ?1 OR resource NOT IN (SELECT id FROM tokens))
                        OR seq = 3 AND (kind <> ?2 OR resource NOT IN (SELECT id FROM links)))
                """
            ).bind(Int64(ResourceKind.token.rawValue), Int64(ResourceKind.link.rawValue)).hasRow())
    }
}
