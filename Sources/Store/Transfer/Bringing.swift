import JSON
package import Model

/// In whose name, and how, lines are taken in.
package struct Bringing: Sendable {
    /// The reader of whose account an export is, as it says; nil when it is of everything.
    let account: ResourceID?
    /// Into whose account it comes: the same reader's, or that of who asks.
    let target: ResourceID?
    /// Whether what is there and says otherwise is written over.
    let replaces: Bool
    /// Memory that the hash of a password may take which is taken in.
    let passwordMebibytesMax: Int

    private init(_ account: ResourceID?, _ target: ResourceID?, replaces: Bool, passwordMebibytesMax: Int = 0) {
        (self.account, self.target, self.replaces) = (account, target, replaces)
        self.passwordMebibytesMax = passwordMebibytesMax
    }

    /// By an administrator: of everything, or of one account, whose reader is made if they are not there.
    package static func byAdministrator(
        account: ResourceID?, replaces: Bool, passwordMebibytesMax: Int
    ) -> Bringing {
        Bringing(account, account, replaces: replaces, passwordMebibytesMax: passwordMebibytesMax)
    }

    /// By a reader, into their own account.
    package static func byReader(_ reader: ResourceID, account: ResourceID, replaces: Bool) -> Bringing {
        Bringing(account, reader, replaces: replaces)
    }

    var isOfAccount: Bool { account != nil }

    /// An id as it is here: what has the reader's own, as some things do, has the id of who takes it in.
    func here(_ id: ResourceID) -> ResourceID { id == account ? target ?? id : id }
}

extension WriteState {
    /// The key of a reader whom a line names; of one who has left, too, where what the line says is nobody's then. In an account
    /// that is its reader and nobody else.
    func readerKey(
        _ said: ResourceID, of member: StaticString, _ bringing: Bringing, mayHaveLeft: Bool = false
    ) throws(LecternError) -> Int64 {
        if bringing.isOfAccount, said != bringing.account {
            throw .invalid([Violation(pointer: "/\(member)", detail: "is not the reader whose account this is")])
        }
        let id = bringing.here(said)
        let isOfAny = mayHaveLeft && !bringing.isOfAccount
        let reader =
            isOfAny ? try read(ReaderTable.rows.find(id, in: db)) : try read(ReaderTable.find(id, in: db))
        guard let reader else { throw .unknown(member) }
        return reader.key
    }

    /// The key of the reader of the account.
    func accountKey(_ bringing: Bringing) throws(LecternError) -> Int64? {
        guard let target = bringing.target else { return nil }
        guard let reader = try read(ReaderTable.find(target, in: db)) else { throw .unknown("reader") }
        return reader.key
    }
}

extension LecternError {
    static let foreign = LecternError.refused(.importForeign, "This is nothing that a reader's account has.")

    /// A member of a line names what is not there.
    static func unknown(_ member: StaticString) -> LecternError {
        .invalid([Violation(pointer: "/\(member)", detail: "is not there: what it names comes before it in an export")])
    }
}
