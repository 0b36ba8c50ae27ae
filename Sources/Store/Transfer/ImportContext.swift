import JSON
package import Model

/// The exported account of an import, the account that receives it, and its options.
package struct ImportContext: Sendable {
    /// The reader whose account was exported; `nil` for an export of the whole server.
    let account: ResourceID?
    /// The reader whose account receives it: the one who imports or, if an administrator does, the same reader, who is
    /// created if missing.
    let target: ResourceID?
    /// A Boolean value indicating whether existing rows are overwritten.
    let replaces: Bool
    /// The maximum memory in MiB that checking an imported password hash may need.
    let passwordMebibytesMax: Int

    package init(account: ResourceID?, target: ResourceID?, replaces: Bool, passwordMebibytesMax: Int = 0) {
        (self.account, self.target, self.replaces) = (account, target, replaces)
        self.passwordMebibytesMax = passwordMebibytesMax
    }

    /// A Boolean value indicating whether an account is imported, for which the limits apply.
    var isOfAccount: Bool { account != nil }

    /// Returns the id that a resource gets here: rows under a reader's own id get the id of the importing reader.
    func here(_ id: ResourceID) -> ResourceID { id == account ? target ?? id : id }
}

extension WriteState {
    /// Returns the key of a reader in a line. A line of an account can only contain its own reader.
    func readerKey(
        _ given: ResourceID, of member: StaticString, _ line: ImportLine, mayHaveLeft: Bool = false
    ) throws(RequestError) -> Int64 {
        let context = line.context
        if context.isOfAccount, given != context.account {
            throw .violation("/\(member)", "is not the reader of this account")
        }
        let id = context.here(given)
        let isOfAny = mayHaveLeft && !context.isOfAccount
        let reader =
            isOfAny
            ? try query(ReaderTable.matching("readers.id = ?1", in: db).bind(id).first(ReaderTable.row))
            : try query(ReaderTable.find(id, in: db))
        guard let reader else { throw .unknown(member) }
        return reader.key
    }

    /// Returns the key of the reader whose account receives the import, or `nil` for a whole server.
    func accountKey(_ line: ImportLine) throws(RequestError) -> Int64? {
        guard let target = line.context.target else { return nil }
        guard let reader = try query(ReaderTable.find(target, in: db)) else { throw .unknown("reader") }
        return reader.key
    }
}

extension RequestError {
    static let foreign = RequestError.refused(
        .importForeign,
        "An account receives only lines of its own kinds, and no other reader's. Use the export of one account."
    )

    /// Returns the error for a reference to something that does not exist.
    static func unknown(_ member: StaticString) -> RequestError {
        .violation(
            "/\(member)",
            "names something that does not exist here: no line before this one has it, or its line was refused")
    }
}
