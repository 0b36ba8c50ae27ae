import Model

/// The administrator that an untouched house came with gives way to the one who comes with everything: whoever has the machine acts for the
/// first administrator there is.
struct GivingWay: Proposal {
    let administrator: Reader

    func apply(to application: inout Application, _ moment: Moment) throws(SQLiteError) -> Outcome? {
        for table in ["shelves", "settings"] {
            try application.connection.statement(DepartedReader.ends, table).bind(1, administrator.id).run()
        }
        return try Write<ReaderTable>(before: administrator, after: nil).apply(to: &application, moment)
    }
}

extension WriteState {
    /// Who gives way: nobody where anything was ever done but to make the administrator, or a token says who asks.
    func givingWay(_ asker: Asker, _ bringing: Bringing) throws(LecternError) -> [any Proposal] {
        guard !bringing.isOfAccount, asker.viewer.token == nil,
            try query({ db throws(SQLiteError) in try db.number("SELECT max(seq) FROM changes") }) == 1,
            let administrator = try read(ReaderTable.firstAdministrator(in: db))
        else { return [] }
        return [GivingWay(administrator: administrator)]
    }
}
